import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import type { RankedPair } from '@heterosis/statgen/mating/rank-usefulness';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { madeColumn } from './made-column.tsx';
import type { PlanAnswer } from './plan-answer.ts';
import type { PlanSettings } from './plan-settings.ts';

/** The most useful pairs, whatever their coancestry; ticked ones can be required or forbidden. */
export function UsefulPairs(props: {
  run: CrossingPlanDetail;
  tables: PlanTables;
  answer: PlanAnswer;
  settings: PlanSettings;
  onChange: (changes: Partial<PlanSettings>) => void;
}) {
  const { run, tables, answer, settings, onChange } = props;
  const { t } = useTranslation();
  const nameOf = ({ parents: [i, j] }: RankedPair): string => `${tables.candidates[i]} × ${tables.candidates[j]}`;
  const figure = (id: 'usefulness' | 'mean' | 'sd', value: (row: RankedPair) => number): DataColumn<RankedPair> => ({
    id,
    header: t(`crossing_plans.${id}`),
    hint: t(`crossing_plans.${id}Hint`),
    value,
    cell: (row) => formatStatistic(value(row)),
    numeric: true,
    width: 110,
  });
  return (
    <Section
      title={t('crossing_plans.ranking')}
      note={t('crossing_plans.rankingNote', { shown: formatCount(answer.ranking.length) })}
    >
      <DataTable
        id="plan-pairs"
        label={t('crossing_plans.ranking')}
        columns={[
          { id: 'pair', header: t('crossing_simulations.crossesHead'), value: nameOf, minWidth: 160 },
          { ...figure('usefulness', ({ usefulness }) => usefulness), narrow: true },
          figure('mean', ({ mean }) => mean),
          figure('sd', ({ spread }) => spread),
          ...madeColumn<RankedPair>(tables, t),
        ]}
        rows={answer.ranking}
        rowId={({ parents }) => parents.join(' ')}
        defaultSort={{ column: 'usefulness', descending: true }}
        csvName={`${run.name} pairs`}
        bulkActions={(chosen, clear) =>
          (['required', 'forbidden'] as const).map((kind) => (
            <Button
              key={kind}
              size="compact-xs"
              variant="default"
              onClick={() => {
                const lines = [settings[kind].trim(), ...chosen.map(nameOf)].filter((line) => line !== '');
                onChange({ [kind]: [...new Set(lines.join('\n').split('\n'))].join('\n') });
                clear();
              }}
            >
              {t(kind === 'required' ? 'crossing_plans.require' : 'crossing_plans.forbid')}
            </Button>
          ))
        }
        maxHeight="24rem"
      />
    </Section>
  );
}
