import { toCsv } from '../../../../lib/format/csv.ts';
import { pastedRows } from '../upload/guess-file-type.ts';

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

/** Pasted cells as a crossing table: as they are below a header, otherwise female and male in the first two columns. */
export function pastedCrosses(text: string): { csv: string; count: number } | undefined {
  const { rows, namesParents } = pastedRows(text);
  const [head = [], ...others] = rows;
  if (namesParents) return others.length === 0 ? undefined : { csv: toCsv(head, others), count: others.length };
  const pairs = rows.map(([female = '', male = '']): [string, string] => [female, male]);
  const isWhole = pairs.length > 0 && pairs.every((names) => names.every((name) => name !== ''));
  return isWhole ? { csv: crossingTableCsv(pairs), count: pairs.length } : undefined;
}
