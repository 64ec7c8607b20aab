import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { madePairsIn } from './plan-settings.ts';

/** A column that marks pairs already made; none where no such pair is known. */
export function madeColumn<Row extends { parents: [number, number] }>(
  tables: PlanTables,
  t: TFunction,
): DataColumn<Row>[] {
  const isMade = madePairsIn(tables);
  if (isMade === undefined) return [];
  return [
    {
      id: 'made',
      header: t('crossing_plans.alreadyMade'),
      hint: t('crossing_plans.alreadyMadeHint'),
      value: ({ parents }) => (isMade(parents) ? t('crossing_plans.isMade') : ''),
      width: 116,
    },
  ];
}
