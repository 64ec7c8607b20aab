import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { Button, Checkbox } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatCount, formatStatistic, sharedDecimals } from '../../../lib/format/format.ts';
import { indexFormula } from '../../../lib/format/index-formula.ts';
import type { PlanAnswer } from './plan-answer.ts';
import { useParentChanges } from './plan-parents.tsx';
import type { PlanSettings } from './plan-settings.ts';
import { whyNot } from './why-not.ts';

interface CandidateRow {
  name: string;
  place: number;
}

/** All candidates with breeding values and index; a tick lets one take part. */
export function CandidateTable(props: {
  run: CrossingPlanDetail;
  tables: PlanTables;
  answer: PlanAnswer;
  settings: PlanSettings;
  onChange: (changes: Partial<PlanSettings>) => void;
}) {
  const { run, tables, settings, onChange } = props;
  const { t } = useTranslation();
  const rows = useMemo(() => tables.candidates.map((name, place): CandidateRow => ({ name, place })), [tables]);
  const setTaking = (name: string, takesPart: boolean): void => {
    const excluded = new Set(settings.excluded);
    if (takesPart) excluded.delete(name);
    else excluded.add(name);
    onChange({ excluded });
  };
  const { bringIn } = useParentChanges(tables, props.answer, props);
  const taking = tables.candidates.length - settings.excluded.size;
  return (
    <>
      <p className="hx-muted">
        {[
          t('crossing_plans.taking', { taking: formatCount(taking), all: formatCount(tables.candidates.length) }),
          ...(tables.traits.length > 1
            ? [t('word.indexIs', { formula: indexFormula(tables.traits, props.answer.weights) })]
            : []),
        ].join(' ')}
      </p>
      <DataTable
        id="plan-candidates"
        label={t('crossing_plans.candidates')}
        columns={useColumns({ ...props, setTaking, bringIn })}
        rows={rows}
        rowId={({ name }) => name}
        defaultSort={{ column: 'index', descending: true }}
        isMarked={({ place }) => (props.answer.plan.uses[place] ?? 0) > 0}
        csvName={`${run.name} candidates`}
        maxHeight="calc(100dvh - 12rem)"
      />
    </>
  );
}

function useColumns(props: {
  tables: PlanTables;
  answer: PlanAnswer;
  settings: PlanSettings;
  setTaking: (name: string, takesPart: boolean) => void;
  bringIn: (name: string) => void;
}): DataColumn<CandidateRow>[] {
  const { tables, answer, settings, setTaking, bringIn } = props;
  const { t } = useTranslation();
  const traits = tables.traits.length;
  const { value, plan } = answer;
  const decimals = sharedDecimals([...value]);
  const why = whyNot(tables, answer, settings.excluded);
  const reasonOf = (place: number): string | undefined => {
    const found = why(place);
    return found && t(`crossing_plans.why.${found.reason}`, found.reason === 'related' ? { with: found.with } : {});
  };
  return [
    { id: 'name', header: t('crossing_plans.candidate'), value: ({ name }) => name, minWidth: 110 },
    {
      id: 'takes-part',
      header: t('crossing_plans.takesPart'),
      value: ({ name }) => !settings.excluded.has(name),
      cell: ({ name }) => (
        <Checkbox
          size="xs"
          aria-label={t('crossing_plans.takesPartName', { name })}
          checked={!settings.excluded.has(name)}
          onChange={({ currentTarget }) => setTaking(name, currentTarget.checked)}
          onClick={(event) => event.stopPropagation()}
        />
      ),
      width: 92,
    },
    {
      id: 'index',
      header: t(traits > 1 ? 'crossing_plans.index' : 'crossing_plans.gebv'),
      value: ({ place }) => value[place],
      cell: ({ place }) => <NumberCell value={value[place]} decimals={decimals} />,
      numeric: true,
      width: 84,
      narrow: true,
    },
    {
      id: 'uses',
      header: t('crossing_plans.uses'),
      value: ({ place }) => plan.uses[place] ?? 0,
      cell: ({ place }) => formatCount(plan.uses[place] ?? 0),
      numeric: true,
      width: 96,
      hint: t('crossing_plans.usesHint'),
    },
    {
      id: 'why',
      header: t('crossing_plans.why.title'),
      value: ({ place }) => reasonOf(place),
      cell: ({ name, place }) => {
        const reason = reasonOf(place);
        return reason === undefined ? (
          '–'
        ) : (
          <>
            {reason}{' '}
            <Button size="compact-xs" variant="subtle" onClick={() => bringIn(name)}>
              {t('crossing_plans.bringIn')}
            </Button>
          </>
        );
      },
      wrap: true,
    },
    {
      id: 'contribution',
      header: t('crossing_plans.contribution'),
      value: ({ place }) => plan.contributions[place],
      cell: ({ place }) => formatStatistic(plan.contributions[place]),
      numeric: true,
      width: 116,
      hint: t('crossing_plans.contributionHint'),
      hidden: true,
    },
    ...(traits > 1
      ? tables.traits.map(
          (trait, at): DataColumn<CandidateRow> => ({
            id: `trait-${at}`,
            header: trait,
            value: ({ place }) => tables.values[place * traits + at],
            cell: ({ place }) => formatStatistic(tables.values[place * traits + at]),
            numeric: true,
            width: 84,
          }),
        )
      : []),
  ];
}
