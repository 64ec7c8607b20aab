import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { Button, Menu } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable, type Grouping } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { type ModalName, useModal } from '../../../lib/browser/modal.ts';
import { createModalOf, runLink, updateModalOf } from '../../../lib/browser/run-kinds.ts';
import { BinLink } from '../../data/bin/index.ts';
import { useProjectCrumbs, useProjectRights, useTraitOrder } from '../../people/projects/index.ts';
import { COMPARED } from './dialogs/compare-dialog.tsx';
import { DeleteRunDialog } from './run-confirmations.tsx';
import { RunStateBadge } from './run-parts.tsx';
import { badgeOf, type RunState } from './run-state.ts';
import type { RunMutations } from './use-run-mutations.ts';

interface ListedRun {
  id: string;
  name: string;
  traits: string[];
  key_figure?: string | null;
  state: RunState;
  created_by_id: string | null;
  created_at: string;
}

/** The list of runs of one kind: name, state, traits, what is particular to the kind, age. */
export function RunListPage<Run extends ListedRun>(props: {
  projectId: string;
  kind: RunKind;
  runs: UseQueryResult<Run[]>;
  /** What the button says that makes a new one. */
  createLabel: string;
  /** What the runs are compared by, in place of their key figure; in sight also where a table scrolls sideways. */
  figures?: DataColumn<Run>[];
  columns: DataColumn<Run>[];
  /** How the runs are grouped by what they were made from. */
  byInputs: Omit<Grouping<Run>, 'id'>;
  remove: RunMutations['remove'];
  /** The dialog that shows chosen runs side by side. */
  compareWith?: ModalName;
}) {
  const { projectId, kind, runs, figures, byInputs, compareWith } = props;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const inOrder = useTraitOrder(projectId);
  const modal = useModal();
  const [leaving, setLeaving] = useState<Run>();
  const { path } = RUN_KINDS[kind];
  const title = t(`nav.${path}`);
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const action = may('write') && <Button onClick={() => modal.open(createModalOf(kind))}>{props.createLabel}</Button>;
  const keyFigure: DataColumn<Run> = {
    id: 'result',
    header: t('runs.result'),
    value: (run) => run.key_figure ?? null,
    wrap: true,
  };
  const columns: DataColumn<Run>[] = [
    { id: 'name', header: t('column.name'), value: (run) => run.name },
    {
      id: 'state',
      header: t('runs.stateHead'),
      value: (run) => badgeOf(run.state).label(t),
      cell: (run) => <RunStateBadge state={run.state} />,
      width: 140,
      narrow: true,
    },
    ...(figures ?? [keyFigure]),
    {
      id: 'traits',
      header: t('runs.traits'),
      value: (run) => inOrder(run.traits).join(', '),
      // The chips of the figures name them, and parentage checks have none.
      hidden: figures !== undefined || runs.data?.every(({ traits }) => traits.length === 0) === true,
    },
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
    <Page title={title} crumbs={[...crumbs, { label: title }]} action={action}>
      <DataTable
        id={path}
        label={title}
        columns={columns}
        rows={runs.data}
        rowId={(run) => run.id}
        isLoading={runs.isPending}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        inAddress
        defaultSort={{ column: 'created_at', descending: true }}
        rowLink={(run) => runLink(kind, projectId, run.id)}
        groupings={[{ id: 'inputs', ...byInputs }]}
        bulkActions={
          compareWith &&
          ((chosen) => (
            <Button
              size="compact-xs"
              variant="default"
              disabled={chosen.length < COMPARED.min || chosen.length > COMPARED.max}
              title={t('compare.howMany', COMPARED)}
              onClick={() => modal.open(compareWith, chosen.map(({ id }) => id).join(','))}
            >
              {t('compare.open')}
            </Button>
          ))
        }
        rowMenu={(run) =>
          (mayChange(run) || mayDelete(run)) && (
            <>
              {mayChange(run) && (
                <Menu.Item onClick={() => modal.open(updateModalOf(kind), run.id)}>{t('action.rename')}</Menu.Item>
              )}
              {mayDelete(run) && (
                <Menu.Item className="hx-danger" onClick={() => setLeaving(run)}>
                  {t('action.delete')}
                </Menu.Item>
              )}
            </>
          )
        }
        empty={<EmptyState title={t(`${path}.emptyTitle`)}>{t(`${path}.emptyText`)}</EmptyState>}
      />
      <BinLink />
      {leaving && (
        <DeleteRunDialog kind={kind} run={leaving} remove={props.remove} onClose={() => setLeaving(undefined)} />
      )}
    </Page>
  );
}
