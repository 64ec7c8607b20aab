import type { CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import { toCsv } from '../../../lib/format/csv.ts';

/** Crosses of a simulation as the text of a crossing table, with the third and fourth parent where there is one. */
export function crossingTableOf(rows: readonly CrossRow[]): string {
  const further = (['parent3', 'parent4'] as const).filter((parent) => rows.some((row) => row[parent] !== null));
  return toCsv(
    ['cross', 'female', 'male', 'number_of_progeny', 'type', ...further],
    rows.map((row) => [
      ...[row.cross, row.parent1, row.parent2, row.progeny, row.population],
      ...further.map((parent) => row[parent] ?? ''),
    ]),
  );
}
