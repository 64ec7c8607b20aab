import type { Model } from '@heterosis/contracts/models';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatStatistic } from '../../lib/format.ts';
import { useModal } from '../../lib/modal.ts';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';
import { RunStateBadge } from '../runs/run-parts.tsx';
import { overallState } from '../runs/run-state.ts';
import { modelsQuery, useModelMutations } from './models.api.ts';

export function ModelsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const modal = useModal();
  const models = useQuery(modelsQuery(projectId));
  const { remove } = useModelMutations(projectId);
  const [leaving, setLeaving] = useState<Model>();
  const train = <Button onClick={() => modal.open('create-model')}>{t('models.train')}</Button>;

  const columns: DataColumn<Model>[] = [
    { id: 'name', header: t('column.name'), value: (one) => one.name, width: 260 },
    { id: 'traits', header: t('runs.traits'), value: (one) => one.traits.join(', ') },
    {
      id: 'state',
      header: t('runs.stateHead'),
      value: (one) => t(`runs.state.${overallState(one.status)}`),
      cell: (one) => <RunStateBadge status={one.status} progress={one.progress} />,
      width: 170,
      narrow: true,
    },
    {
      id: 'r',
      header: t('models.r'),
      value: (one) => mean(one.traits.map((trait) => one.evaluation[trait]?.pearson_r.mean)),
      cell: (one) => one.traits.map((trait) => formatStatistic(one.evaluation[trait]?.pearson_r.mean)).join('  '),
      numeric: true,
      width: 150,
    },
    {
      id: 'dominance',
      header: t('models.effects'),
      value: (one) => (one.include_dominance_effects ? t('models.additiveDominance') : t('models.additive')),
      width: 170,
    },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name, hidden: true },
    { id: 'phenotype', header: t('runs.phenotype'), value: (one) => one.phenotype_name, hidden: true },
    {
      id: 'created_at',
      header: t('column.created'),
      value: (one) => one.created_at,
      cell: (one) => <RelativeTime date={one.created_at} />,
      width: 120,
    },
  ];

  return (
    <Page title={t('nav.models')} crumbs={[...crumbs, { label: t('nav.models') }]} action={train}>
      <DataTable
        id="models"
        label={t('nav.models')}
        columns={columns}
        rows={models.data}
        rowId={(one) => one.id}
        isLoading={models.isPending}
        error={models.error}
        onRetry={() => void models.refetch()}
        inAddress
        defaultSort={{ column: 'created_at', descending: true }}
        rowLink={(one) => ({ to: '/projects/$projectId/models/$modelId', params: { projectId, modelId: one.id } })}
        // SPEC §4: models are grouped by genotype plus phenotype.
        groupings={[
          {
            id: 'inputs',
            label: t('runs.byInputs'),
            key: (one) => `${one.genotype_id} ${one.phenotype_id}`,
            title: (one) =>
              `${one.genotype_name ?? t('runs.deletedFile')} × ${one.phenotype_name ?? t('runs.deletedFile')}`,
          },
        ]}
        rowMenu={(one) => (
          <>
            <Menu.Item onClick={() => modal.open('update-model', one.id)}>{t('action.rename')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setLeaving(one)}>
              {t('action.delete')}
            </Menu.Item>
          </>
        )}
        empty={
          <EmptyState title={t('models.emptyTitle')} action={train}>
            {t('models.emptyText')}
          </EmptyState>
        }
      />
      {leaving && (
        <ConfirmDialog
          title={t('models.deleteTitle', { name: leaving.name })}
          confirmLabel={t('models.delete')}
          onConfirm={() => remove.mutateAsync(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          {t('models.deleteText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function mean(values: (number | null | undefined)[]): number | null {
  const known = values.filter((value): value is number => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
