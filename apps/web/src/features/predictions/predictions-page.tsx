import type { Prediction } from '@heterosis/contracts/predictions';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useModal } from '../../lib/modal.ts';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';
import { RunStateBadge } from '../runs/run-parts.tsx';
import { predictionsQuery, usePredictionMutations } from './predictions.api.ts';

export function PredictionsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const modal = useModal();
  const predictions = useQuery(predictionsQuery(projectId));
  const { remove } = usePredictionMutations(projectId);
  const [leaving, setLeaving] = useState<Prediction>();
  const create = <Button onClick={() => modal.open('create-prediction')}>{t('predictions.create')}</Button>;

  const columns: DataColumn<Prediction>[] = [
    { id: 'name', header: t('column.name'), value: (one) => one.name, width: 260 },
    { id: 'traits', header: t('runs.traits'), value: (one) => one.traits.join(', ') },
    {
      id: 'state',
      header: t('runs.stateHead'),
      value: (one) => t(`runs.state.${one.status}`),
      cell: (one) => <RunStateBadge status={one.status} progress={{ all: one.progress }} />,
      width: 170,
      narrow: true,
    },
    { id: 'model', header: t('predictions.model'), value: (one) => one.model_name, hidden: true },
    { id: 'genotype', header: t('runs.genotype'), value: (one) => one.genotype_name },
    {
      id: 'created_at',
      header: t('column.created'),
      value: (one) => one.created_at,
      cell: (one) => <RelativeTime date={one.created_at} />,
      width: 120,
    },
  ];

  return (
    <Page title={t('nav.predictions')} crumbs={[...crumbs, { label: t('nav.predictions') }]} action={create}>
      <DataTable
        id="predictions"
        label={t('nav.predictions')}
        columns={columns}
        rows={predictions.data}
        rowId={(one) => one.id}
        isLoading={predictions.isPending}
        error={predictions.error}
        onRetry={() => void predictions.refetch()}
        inAddress
        defaultSort={{ column: 'created_at', descending: true }}
        rowLink={(one) => ({
          to: '/projects/$projectId/predictions/$predictionId',
          params: { projectId, predictionId: one.id },
        })}
        // SPEC §4: predictions are grouped by model name plus genotype.
        groupings={[
          {
            id: 'inputs',
            label: t('predictions.byInputs'),
            key: (one) => `${one.model_name} ${one.genotype_id}`,
            title: (one) =>
              `${one.model_name ?? t('predictions.deletedModel')} × ${one.genotype_name ?? t('runs.deletedFile')}`,
          },
        ]}
        rowMenu={(one) => (
          <>
            <Menu.Item onClick={() => modal.open('update-prediction', one.id)}>{t('action.rename')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setLeaving(one)}>
              {t('action.delete')}
            </Menu.Item>
          </>
        )}
        empty={
          <EmptyState title={t('predictions.emptyTitle')} action={create}>
            {t('predictions.emptyText')}
          </EmptyState>
        }
      />
      {leaving && (
        <ConfirmDialog
          title={t('predictions.deleteTitle', { name: leaving.name })}
          confirmLabel={t('predictions.delete')}
          onConfirm={() => remove.mutateAsync(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          {t('predictions.deleteText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
