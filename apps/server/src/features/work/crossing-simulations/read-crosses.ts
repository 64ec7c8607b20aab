import type { CrossDetail, CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import type { ResultTables } from '../../../platform/result-tables/result-tables.ts';
import { CROSS_FIGURES, LATER_COLUMNS, LATER_FIGURES } from './cross-result-columns.ts';

/** Columns of the crosses with their figures of the trait in this place. */
export const crossColumns = (
  t: number,
  { isOfThisVersion, correlation }: { isOfThisVersion: boolean; correlation: string | undefined },
): string[] => [
  ...['place', 'cross_name', 'parent1', 'parent2', 'population', 'progeny'],
  ...CROSS_FIGURES.map((figure) => `${figure}_${t}`),
  ...(isOfThisVersion ? [...LATER_COLUMNS, ...LATER_FIGURES.map((figure) => `${figure}_${t}`)] : []),
  ...(correlation === undefined ? [] : [correlation]),
];

/** A row of the table of crosses. */
export type CrossTableRow = Record<string, string | number | null>;

/** A cross with its figures of the trait in this place. */
export function toCross(one: CrossTableRow, t: number, correlation: string | undefined): CrossRow {
  const figure = (name: (typeof CROSS_FIGURES)[number]) => Number(one[`${name}_${t}`]);
  return {
    place: Number(one['place']),
    cross: String(one['cross_name']),
    parent1: String(one['parent1']),
    parent2: String(one['parent2']),
    parent3: textOrNull(one['parent3']),
    parent4: textOrNull(one['parent4']),
    population: one['population'] as CrossRow['population'],
    progeny: Number(one['progeny']),
    parent1_value: figure('parent1_value'),
    parent2_value: figure('parent2_value'),
    parent3_value: numberOrNull(one[`parent3_value_${t}`]),
    parent4_value: numberOrNull(one[`parent4_value_${t}`]),
    mean: figure('mean'),
    sd: figure('sd'),
    usefulness: figure('usefulness'),
    p_transgress: figure('p_transgress'),
    expected_best: figure('expected_best'),
    sim_mean: numberOrNull(one[`sim_mean_${t}`]),
    sim_sd: numberOrNull(one[`sim_sd_${t}`]),
    kinship: numberOrNull(one['kinship']),
    segregating_markers: numberOrNull(one['segregating_markers']),
    correlation: correlation === undefined ? null : numberOrNull(one[correlation]),
  };
}

const numberOrNull = (value: string | number | null | undefined): number | null =>
  typeof value === 'number' ? value : null;
const textOrNull = (value: string | number | null | undefined): string | null =>
  typeof value === 'string' ? value : null;

const BINS = 40;

/** How the simulated progeny of a cross are distributed; undefined for no such cross. */
export async function readProgenyHistogram(
  tables: ResultTables,
  key: string,
  t: number,
  place: number,
): Promise<NonNullable<CrossDetail['histogram']> | undefined> {
  const bins = await tables.query<{ least: number; most: number; bin: number; count: number }>(
    key,
    (table) => `
      with progeny as (select value_${t} as value from ${table} where cross_place = $1),
        ends as (select min(value) as least, max(value) as most from progeny)
      select least, most, count(*)::integer as count,
        case when most > least then least(${BINS - 1}, floor((value - least) / (most - least) * ${BINS})) else 0 end::integer as bin
      from progeny, ends group by all`,
    [place],
  );
  const [first] = bins;
  if (first === undefined) return undefined;
  const counts = Array.from({ length: first.most > first.least ? BINS : 1 }, () => 0);
  for (const { bin, count } of bins) counts[bin] = count;
  return { from: first.least, to: first.most, counts };
}
