import { toCsv } from '../../../../lib/format/csv.ts';

export type CrossScheme = 'pairs' | 'best';

/**
 * Crosses among individuals, the best first: all pairs, or the first with each of the others. Female is the better one.
 */
export function crossesOf(individuals: readonly string[], scheme: CrossScheme): [female: string, male: string][] {
  const females = scheme === 'best' ? individuals.slice(0, 1) : individuals;
  return females.flatMap((female, at) => individuals.slice(at + 1).map((male): [string, string] => [female, male]));
}

export const crossingTableCsv = (crosses: readonly (readonly [string, string])[]): string =>
  toCsv(
    ['cross', 'female', 'male'],
    crosses.map(([female, male]) => [`${female}×${male}`, female, male]),
  );
