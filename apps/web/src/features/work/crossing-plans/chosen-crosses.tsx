import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { downloadText } from '../../../lib/browser/download.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import { useSaveCrossingTable } from '../../data/files/index.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import { madeColumn } from './made-column.tsx';
import type { PlanAnswer } from './plan-answer.ts';
import { plannedCrossesText, wishlistText } from './plan-exports.ts';

type Row = PlanAnswer['plan']['crosses'][number];

export interface WorkbenchProps {
  projectId: string;
  run: CrossingPlanDetail;
  tables: PlanTables;
}

/** The crosses of the plan: kept as a crossing table, or taken along as a wishlist. */
export function ChosenCrosses(
  props: WorkbenchProps & {
    answer: PlanAnswer;
    factor: number;
    /** Whether the plan is that of the settings shown; another is not taken along. */
    isCurrent: boolean;
  },
) {
  const { projectId, run, tables, answer, isCurrent } = props;
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const saveTable = useSaveCrossingTable(projectId);
  const { crosses } = answer.plan;
  const saving = useMutation({
    mutationFn: () =>
      saveTable({ proposed: t('crossing_plans.tableName', { name: run.name }) }, plannedCrossesText(tables, crosses)),
  });
  const saved = saving.data;
  return (
    <Section
      title={t('crossing_plans.chosen')}
      action={
        <Group gap="xs">
          {mayWrite && (
            <Button size="xs" loading={saving.isPending} disabled={!isCurrent} onClick={() => saving.mutate()}>
              {t('crossing_simulations.saveAsTable')}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            disabled={!isCurrent}
            onClick={() => downloadText(`${run.name} wishlist.csv`, wishlistText(tables, crosses))}
          >
            {t('crossing_plans.wishlist')}
          </Button>
        </Group>
      }
    >
      {saving.error && <ErrorNotice error={saving.error} />}
      {saved !== undefined && (
        <Notice kind="success">
          {t('crossing_plans.saved', { name: saved.name })}{' '}
          <Link
            to="/projects/$projectId/crossingSimulation"
            params={{ projectId }}
            search={{
              modal: 'create-crossing-simulation',
              modal_id: ['table', saved.id, run.model_id ?? '', run.genotype_id ?? ''].join(':'),
            }}
            className="hx-link"
          >
            {t('crossing_plans.simulate')}
          </Link>
        </Notice>
      )}
      <DataTable
        id="plan-crosses"
        label={t('crossing_plans.chosen')}
        columns={useColumns(props)}
        rows={crosses}
        rowId={({ parents }) => parents.join(' ')}
        defaultSort={{ column: tables.covariances === null ? 'mean' : 'usefulness', descending: true }}
        csvName={`${run.name} crosses`}
        maxHeight="30rem"
      />
    </Section>
  );
}

function useColumns({ tables, factor }: WorkbenchProps & { factor: number }): DataColumn<Row>[] {
  const { t } = useTranslation();
  const hasSpread = tables.covariances !== null;
  const nameOf = (place: number): string => tables.candidates[place] ?? '';
  const figure = (
    id: 'usefulness' | 'mean' | 'sd' | 'inbreeding',
    value: (row: Row) => number | null,
    more: Partial<DataColumn<Row>> = {},
  ): DataColumn<Row> => ({
    id,
    value,
    header: t(`crossing_plans.${id}`),
    hint: t(`crossing_plans.${id}Hint`),
    cell: (row: Row) => formatStatistic(value(row)),
    numeric: true,
    ...more,
  });
  return [
    {
      id: 'cross',
      header: t('crossing_simulations.crossesHead'),
      value: ({ parents: [i, j] }) => `${nameOf(i)} × ${nameOf(j)}`,
      minWidth: 140,
    },
    ...(hasSpread
      ? [
          figure('usefulness', ({ mean, spread }) => mean + factor * (spread ?? 0), { narrow: true, width: 112 }),
          figure('mean', ({ mean }) => mean, { width: 88 }),
          figure('sd', ({ spread }) => spread, { width: 72 }),
        ]
      : [figure('mean', ({ mean }) => mean, { narrow: true, width: 88 })]),
    figure('inbreeding', ({ inbreeding }) => inbreeding, { width: 112 }),
    ...madeColumn<Row>(tables, t),
  ];
}
