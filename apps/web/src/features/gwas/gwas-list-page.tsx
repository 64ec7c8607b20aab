import type { Gwas } from '@heterosis/contracts/gwas';
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
import { overallState } from '../runs/run-state.ts';
import { gwasListQuery, useGwasMutations } from './gwas.api.ts';

export function GwasListPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const modal = useModal();
  const list = useQuery(gwasListQuery(projectId));
  const { remove } = useGwasMutations(projectId);
  const [leaving, setLeaving] = useState<Gwas>();
  const create = <Button onClick={() => modal.open('create-gwas')}>{t('gwas.run')}</Button>;

  const columns: DataColumn<Gwas>[] = [
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
    { id: 'test', header: t('gwas.test'), value: (one) => one.test, width: 90 },
    { id: 'fixed', header: t('gwas.fixedShort'), value: (one) => one.fixed, numeric: true, width: 70 },
    {
      id: 'hits',
      header: t('gwas.hits'),
      value: (one) => one.traits.reduce((sum, trait) => sum + (one.summary[trait]?.hits ?? 0), 0),
      cell: (one) => one.traits.map((trait) => one.summary[trait]?.hits ?? '–').join('  '),
      numeric: true,
      width: 110,
    },
    {
      id: 'lambda',
      header: 'λ',
      value: (one) => one.summary[one.traits[0] ?? '']?.lambda,
      cell: (one) => one.traits.map((trait) => one.summary[trait]?.lambda.toFixed(2) ?? '–').join('  '),
      numeric: true,
      width: 130,
    },
    {
      id: 'created_at',
      header: t('column.created'),
      value: (one) => one.created_at,
      cell: (one) => <RelativeTime date={one.created_at} />,
      width: 120,
    },
  ];

  return (
    <Page title={t('nav.gwas')} crumbs={[...crumbs, { label: t('nav.gwas') }]} action={create}>
      <DataTable
        id="gwas"
        label={t('nav.gwas')}
        columns={columns}
        rows={list.data}
        rowId={(one) => one.id}
        isLoading={list.isPending}
        error={list.error}
        onRetry={() => void list.refetch()}
        inAddress
        defaultSort={{ column: 'created_at', descending: true }}
        rowLink={(one) => ({ to: '/projects/$projectId/gwas/$gwasId', params: { projectId, gwasId: one.id } })}
        // SPEC §4: GWAS are grouped by genotype plus phenotype.
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
            <Menu.Item onClick={() => modal.open('update-gwas', one.id)}>{t('action.rename')}</Menu.Item>
            <Menu.Item color="red" onClick={() => setLeaving(one)}>
              {t('action.delete')}
            </Menu.Item>
          </>
        )}
        empty={
          <EmptyState title={t('gwas.emptyTitle')} action={create}>
            {t('gwas.emptyText')}
          </EmptyState>
        }
      />
      {leaving && (
        <ConfirmDialog
          title={t('gwas.deleteTitle', { name: leaving.name })}
          confirmLabel={t('gwas.delete')}
          onConfirm={() => remove.mutateAsync(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          {t('gwas.deleteText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
