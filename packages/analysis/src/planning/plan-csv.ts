import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { pairKey } from '@heterosis/statgen/mating/plan-tables';
import type { MadePair } from './made-pairs.ts';
import type { PlanResult } from './plan.ts';

/** The crosses of a plan: a crossing table, with their figures in further columns. */
export function plannedCrossesCsv({ tables, plan, factor }: PlanResult): Iterable<string> {
  const traits = tables.traits.length;
  const made = madeColumn(tables);
  return csvChunks(
    [
      'parent1',
      'parent2',
      'name',
      'index',
      'sd',
      'usefulness',
      'inbreeding',
      ...tables.traits.map((trait) => `mean_${trait}`),
      ...made.head,
    ],
    plan.crosses.map(({ parents: [i, j], mean, spread, inbreeding }) => [
      tables.candidates[i] ?? '',
      tables.candidates[j] ?? '',
      `${tables.candidates[i]}_X_${tables.candidates[j]}`,
      mean,
      spread,
      spread === null ? null : mean + factor * spread,
      inbreeding,
      ...tables.traits.map((_, t) => ((tables.values[i * traits + t] ?? 0) + (tables.values[j * traits + t] ?? 0)) / 2),
      ...made.cell([i, j]),
    ]),
  );
}

/** Whether a pair has been made; no column where no such pair is known. */
function madeColumn({ made = [] }: PlanResult['tables']) {
  const known = new Set(made.map(pairKey));
  return {
    head: known.size === 0 ? [] : ['made'],
    cell: (pair: readonly [number, number]) => (known.size === 0 ? [] : [known.has(pairKey(pair)) ? 'yes' : 'no']),
  };
}

/** The pairs already made, and what they are known from. */
export function madePairsCsv(pairs: readonly MadePair[]): Iterable<string> {
  return csvChunks(
    ['parent1', 'parent2', 'known_from', 'name'],
    pairs.map(({ parents, from, name }) => [...parents, from, name]),
  );
}

/** The candidates with breeding values, index, optimal contribution and number of crosses. */
export function candidatesCsv({ tables, plan, value }: PlanResult): Iterable<string> {
  const traits = tables.traits.length;
  return csvChunks(
    ['id', ...tables.traits.map((trait) => `gebv_${trait}`), 'index', 'contribution', 'crosses'],
    tables.candidates.map((name, i) => [
      name,
      ...tables.traits.map((_, t) => tables.values[i * traits + t] ?? null),
      value[i] ?? null,
      plan.contributions[i] ?? null,
      plan.uses[i] ?? null,
    ]),
  );
}

/** The best pairs by usefulness. */
export function rankedPairsCsv({ tables, ranking }: PlanResult): Iterable<string> {
  const made = madeColumn(tables);
  const n = tables.candidates.length;
  const coancestry = (i: number, j: number) => {
    const [low, high] = i < j ? [i, j] : [j, i];
    return n > high ? (tables.relationship[(high * (high + 1)) / 2 + low] ?? 0) / 2 : null;
  };
  return csvChunks(
    ['parent1', 'parent2', 'index', 'sd', 'usefulness', 'coancestry', ...made.head],
    ranking.map(({ parents: [i, j], mean, spread, usefulness }) => [
      tables.candidates[i] ?? '',
      tables.candidates[j] ?? '',
      mean,
      spread,
      usefulness,
      coancestry(i, j),
      ...made.cell([i, j]),
    ]),
  );
}

/** The curve of the mean index of the parents against their group coancestry. */
export function curveCsv({ curve }: PlanResult): Iterable<string> {
  return csvChunks(
    ['coancestry', 'index'],
    curve.map(({ coancestry, value }) => [coancestry, value]),
  );
}
