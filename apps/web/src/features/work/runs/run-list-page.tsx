import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { Button, Menu, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable, type Grouping } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { createModalOf, runLink, updateModalOf } from '../../../lib/browser/run-kinds.ts';
import { BinLink } from '../../data/bin/index.ts';
import { useProjectCrumbs, useProjectRights, useTraitOrder } from '../../people/projects/index.ts';
import { COMPARED } from './dialogs/compare-dialog.tsx';
import { DeleteRunDialog } from './run-confirmations.tsx';
import { RunStateBadge } from './run-parts.tsx';
import { badgeOf } from './run-state.ts';
import type { InputRole, ListedRun, RunView, ShownRun } from './run-view.ts';
import type { WithState } from './runs-of.ts';
import { useRunMutations } from './use-run-mutations.ts';

/** Labels of the columns with the names of inputs. */
const INPUT_LABELS = {
  model: 'kind.model',
  genotype: 'word.genotypeFile',
  phenotype: 'runs.phenotype',
  crossing_table: 'crossing_simulations.crossingTable',
} as const satisfies Record<InputRole, string>;

/** The list of runs of one kind: name, state, traits, what is particular to the kind, age. */
export function RunListPage<Item extends ListedRun, Detail extends ShownRun>(props: {
  view: RunView<Item, Detail>;
  projectId: string;
}) {
  const { view, projectId } = props;
  const { kind, compareWith, Matrix } = view;
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const inOrder = useTraitOrder(projectId);
  const modal = useModal();
  const runs = useQuery(view.list(projectId));
  const { remove } = useRunMutations(projectId, view);
  const { figures, columns: further = [] } = view.useColumns?.(projectId, runs.data) ?? {};
  const [leaving, setLeaving] = useState<Item>();
  const { isMatrix, choose } = useViewInAddress();
  const { path } = RUN_KINDS[kind];
  const title = t(`nav.${path}`);
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const action = may('write') && <Button onClick={() => modal.open(createModalOf(kind))}>{t(`${path}.create`)}</Button>;
  const keyFigure: DataColumn<WithState<Item>> = {
    id: 'result',
    header: t('runs.result'),
    value: (run) => run.key_figure ?? null,
    wrap: true,
  };
  const columns: DataColumn<WithState<Item>>[] = [
    { id: 'name', header: t('column.name'), value: (run) => run.name },
    {
      id: 'state',
      header: t('column.state'),
      value: (run) => badgeOf(run.state).label(t),
      cell: (run) => <RunStateBadge state={run.state} />,
      width: 140,
      narrow: true,
    },
    ...(figures ?? [keyFigure]),
    {
      id: 'traits',
      header: t('word.traits'),
      value: (run) => inOrder(run.traits).join(', '),
      // The chips of the figures name them, and parentage checks have none.
      hidden: figures !== undefined || runs.data?.every(({ traits }) => traits.length === 0) === true,
    },
    ...further,
    ...inputColumns(view, t),
    {
      id: 'created_at',
      header: t('column.created'),
      value: (run) => run.created_at,
      cell: (run) => <RelativeTime date={run.created_at} />,
      width: 110,
    },
  ];
  const views = Matrix && <ViewSwitch isMatrix={isMatrix} onChoose={choose} />;
  const empty = <EmptyState title={t(`${path}.emptyTitle`)}>{t(`${path}.emptyText`)}</EmptyState>;
  if (Matrix && isMatrix) {
    return (
      <Page title={title} crumbs={[...crumbs, { label: title }]} action={action}>
        <Matrix projectId={projectId} runs={runs} views={views} empty={empty} />
      </Page>
    );
  }
  return (
    <Page title={title} crumbs={[...crumbs, { label: title }]} action={action}>
      <DataTable
        id={path}
        label={title}
        columns={columns}
        {...rowsOf(runs)}
        rowId={(run) => run.id}
        inAddress
        defaultSort={{ column: 'created_at', descending: true }}
        rowLink={(run) => runLink(kind, projectId, run.id)}
        groupings={[byInputs(view, t)]}
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
        filters={views}
        empty={empty}
      />
      <BinLink />
      {leaving && <DeleteRunDialog kind={kind} run={leaving} remove={remove} onClose={() => setLeaving(undefined)} />}
    </Page>
  );
}

/** Whether a list is looked at as a matrix. What the other view was sorted by is none of its columns. */
function useViewInAddress(): { isMatrix: boolean; choose: (isMatrix: boolean) => void } {
  const navigate = useNavigate();
  const { view } = useSearch({ strict: false }) as { view?: string };
  return {
    isMatrix: view === MATRIX,
    choose: (isMatrix) =>
      void navigate({
        to: '.',
        search: (previous) => ({
          ...{ ...previous, view: isMatrix ? MATRIX : undefined },
          ...{ sort: undefined, group: undefined },
        }),
        replace: true,
        resetScroll: false,
      }),
  };
}

const MATRIX = 'matrix';

function ViewSwitch({ isMatrix, onChoose }: { isMatrix: boolean; onChoose: (isMatrix: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('runs.view')}
      data={[
        { value: 'list', label: t('runs.asList') },
        { value: MATRIX, label: t('runs.asMatrix') },
      ]}
      value={isMatrix ? MATRIX : 'list'}
      onChange={(next) => onChoose(next === MATRIX)}
    />
  );
}

type InputsOf<Item> = { inputs: readonly InputRole[]; inputsOf?: (run: Item) => readonly InputRole[] };

/** The inputs of a run of a list in a role; null where the run has none, and where it was deleted. */
function inputsIn(run: object, role: InputRole, what: 'id' | 'name'): readonly (string | null)[] {
  const fields = run as Record<string, string | null | readonly string[]>;
  const several = fields[`${role}_${what}s`];
  if (Array.isArray(several)) return several.length === 0 ? [null] : several;
  return [(fields[`${role}_${what}`] as string | null | undefined) ?? null];
}

const deletedInput = (role: InputRole, t: TFunction) =>
  t(role === 'model' ? 'predictions.deletedModel' : 'runs.deletedFile');

/** The names of the inputs: to choose from, unless it is the only one. */
function inputColumns<Item extends object>({ inputs }: InputsOf<Item>, t: TFunction): DataColumn<Item>[] {
  const isOnly = inputs.length === 1;
  return inputs.map((role) => ({
    id: role,
    header: t(INPUT_LABELS[role]),
    value: (run) =>
      inputsIn(run, role, 'name')
        .map((name) => name ?? (isOnly ? deletedInput(role, t) : ''))
        .join(', '),
    hidden: !isOnly,
  }));
}

/** Runs of the same inputs together. */
function byInputs<Item extends object>({ inputs, inputsOf }: InputsOf<Item>, t: TFunction): Grouping<Item> {
  return {
    id: 'inputs',
    label: inputs.map((role) => t(`runs.input.${role}`)).join(' + '),
    // Files of the same name may be in several folders; models have names of their own.
    key: (run) => inputs.map((role) => inputsIn(run, role, role === 'model' ? 'name' : 'id').join(',')).join(' '),
    title: (run) =>
      (inputsOf?.(run) ?? inputs)
        .map((role) =>
          inputsIn(run, role, 'name')
            .map((name) => name ?? deletedInput(role, t))
            .join(', '),
        )
        .join(' × '),
  };
}
