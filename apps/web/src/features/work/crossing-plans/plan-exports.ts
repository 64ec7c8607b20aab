import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { toCsv } from '../../../lib/format/csv.ts';
import type { PlanAnswer } from './plan-answer.ts';

type Crosses = PlanAnswer['plan']['crosses'];

const namesOf = ({ candidates }: PlanTables, { parents: [i, j] }: Crosses[number]): [string, string] => [
  candidates[i] ?? '',
  candidates[j] ?? '',
];

/** The crosses of a plan as the text of a crossing table. */
export function plannedCrossesText(tables: PlanTables, crosses: Crosses): string {
  return toCsv(
    ['cross', 'female', 'male'],
    crosses.map((cross) => {
      const [female, male] = namesOf(tables, cross);
      return [`${female}_X_${male}`, female, male];
    }),
  );
}

/** The crosses of a plan as a wishlist of Intercross (PhenoApps): at least one cross of each pair. */
export function wishlistText(tables: PlanTables, crosses: Crosses): string {
  return toCsv(
    ['femaleDbId', 'maleDbId', 'femaleName', 'maleName', 'wishType', 'wishMin', 'wishMax'],
    crosses.map((cross) => {
      const [female, male] = namesOf(tables, cross);
      return [female, male, female, male, 'cross', 1, ''];
    }),
  );
}
