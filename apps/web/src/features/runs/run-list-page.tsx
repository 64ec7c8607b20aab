import type { ErrorExtra, Progress } from '@heterosis/contracts/runs';
import { Button, Menu } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable, type Grouping } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useModal } from '../../lib/modal.ts';
import { BinLink } from '../bin/index.ts';
import { useMayWrite, useProjectCrumbs } from '../projects/index.ts';
import { DeleteRunDialog } from './run-confirmations.tsx';
import { RUN_KINDS, type RunKind } from './run-kind.ts';
import { RunStateBadge } from './run-parts.tsx';
import { stateOf, type TraitState } from './run-state.ts';
import type { RunMutations } from './use-run-mutations.ts';

interface ListedRun {
  id: string;
  name: string;
  traits: string[];
  status: TraitState | Record<string, TraitState>;
  progress: Progress | null | Record<string, Progress | null>;
  created_at: string;
  /** Of a prediction. */
  error_extra?: ErrorExtra | null;
  /** Of models and GWAS, by trait. */
  error_extras?: Record<string, ErrorExtra | null>;
}

const extrasOf = (run: ListedRun) => run.error_extras ?? run.error_extra;

/** The list of models, of predictions or of GWAS: name, state, traits, what is particular to the kind, age. */
export function RunListPage<Run extends ListedRun>(props: {
  projectId: string;
  kind: RunKind;
  runs: UseQueryResult<Run[]>;
  /** What the button says that makes a new one. */
  createLabel: string;
  /** What the runs are compared by: beside the state, in sight also where a table scrolls sideways. */
  figures: DataColumn<Run>[];
  columns: DataColumn<Run>[];
  /** SPEC §4: each kind is grouped by what it was made from. */
  byInputs: Omit<Grouping<Run>, 'id'>;
  remove: RunMutations['remove'];
}) {
  const { projectId, kind, runs, byInputs } = props;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const modal = useModal();
  const [leaving, setLeaving] = useState<Run>();
  const { create, update, page } = RUN_KINDS[kind];
  const mayWrite = useMayWrite(projectId);
  const action = mayWrite && <Button onClick={() => modal.open(create)}>{props.createLabel}</Button>;
  const columns: DataColumn<Run>[] = [
    { id: 'name', header: t('column.name'), value: (run) => run.name },
    {
      id: 'state',
      header: t('runs.stateHead'),
      value: (run) => stateOf(run.status, { progress: run.progress, errorExtras: extrasOf(run) }).label(t),
      cell: (run) => <RunStateBadge status={run.status} progress={run.progress} errorExtras={extrasOf(run)} />,
      width: 140,
      narrow: true,
    },
    ...props.figures,
    { id: 'traits', header: t('runs.traits'), value: (run) => run.traits.join(', ') },
    ...props.columns,
    {
      id: 'created_at',
      header: t('column.created'),
      value: (run) => run.created_at,
      cell: (run) => <RelativeTime date={run.created_at} />,
      width: 110,
    },
  ];
  return (
    <Page title={t(`nav.${kind}`)} crumbs={[...crumbs, { label: t(`nav.${kind}`) }]} action={action}>
      <DataTable
        id={kind}
        label={t(`nav.${kind}`)}
        columns={columns}
        rows={runs.data}
        rowId={(run) => run.id}
        isLoading={runs.isPending}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        inAddress
        defaultSort={{ column: 'created_at', descending: true }}
        rowLink={(run) => page(projectId, run.id)}
        groupings={[{ id: 'inputs', ...byInputs }]}
        rowMenu={
          mayWrite
            ? (run) => (
                <>
                  <Menu.Item onClick={() => modal.open(update, run.id)}>{t('action.rename')}</Menu.Item>
                  <Menu.Item color="red" onClick={() => setLeaving(run)}>
                    {t('action.delete')}
                  </Menu.Item>
                </>
              )
            : undefined
        }
        empty={
          <EmptyState title={t(`${kind}.emptyTitle`)} action={action}>
            {t(`${kind}.emptyText`)}
          </EmptyState>
        }
      />
      <BinLink />
      {leaving && (
        <DeleteRunDialog kind={kind} run={leaving} remove={props.remove} onClose={() => setLeaving(undefined)} />
      )}
    </Page>
  );
}
