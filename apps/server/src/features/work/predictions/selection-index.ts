import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import { traitErrorCorrelation } from '@heterosis/statgen/decisions/trait-errors';
import { indexShares, standardizedWeight } from '@heterosis/statgen/mating/standardized-weights';
import { hasColumn } from '../../../platform/result-tables/read-table-page.ts';
import type { ResultTables } from '../../../platform/result-tables/result-tables.ts';

export interface PredictionIndex {
  /** Per unit of each trait, negative where low values are better. */
  weights: number[];
  /**
   * A query over the table with two columns more: `selection_index`, the sum of the weighted deviations of the breeding
   * values from their means; and `index_rank`, 0-based, the best first.
   */
  source: (table: string) => string;
  /**
   * Root of the prediction error variance of the index of a line, from those of its traits in their order; null where
   * one is not known. Null for traits that were predicted one by one: nothing is known of what their errors share.
   */
  errorOf: ((ses: readonly (number | null)[]) => number | null) | null;
}

/**
 * The index of the project over the individuals of a prediction; undefined where fewer than two traits have a weight.
 * Crossing plans without weights of their own have the same one.
 *
 * Of values that were predicted together the sum with these weights is the index with the largest gain in what they
 * weigh (Henderson 1975); of values predicted one by one that holds where all are predicted equally well, and their
 * errors say nothing of each other.
 *
 * @param traits settings of the traits of the table, in its order
 * @param genetic trait → covariance with it, of a model that was fitted to several together; null for others
 */
export async function readIndex(
  tables: ResultTables,
  key: string,
  traits: readonly ProjectTrait[],
  geneticOf: (trait: string) => Readonly<Record<string, number>> | null,
): Promise<PredictionIndex | undefined> {
  const shares = indexShares(traits.map(({ weight }) => weight));
  if (shares === undefined || shares.filter((share) => share > 0).length < 2) return undefined;
  const figures = traits.map((_, t) => `avg(gebv_${t}) as mean_${t}, stddev_pop(gebv_${t}) as sd_${t}`);
  const [found] = await tables.query<Record<string, number | null>>(
    key,
    (table) => `select ${figures.join(', ')} from ${table}`,
  );
  const weights = traits.map(
    ({ direction }, t) =>
      (direction === 'lower' ? -1 : 1) * standardizedWeight(shares[t] ?? 0, found?.[`sd_${t}`] ?? 0),
  );
  const terms = weights.flatMap((weight, t) =>
    weight === 0 ? [] : [`${weight} * coalesce(gebv_${t} - ${found?.[`mean_${t}`] ?? 0}, 0)`],
  );
  const source = (table: string): string => `(
    select *, row_number() over (order by selection_index desc, place) - 1 as index_rank
    from (select *, ${terms.join(' + ')} as selection_index from ${table})
  )`;
  const errors = await readErrors(tables, key, { traits: traits.map(({ name }) => name), weights, geneticOf });
  return { weights, source, errorOf: errors };
}

/** How errors of the index follow from those of its traits, by the genetic covariances of their model. */
async function readErrors(
  tables: ResultTables,
  key: string,
  {
    traits,
    weights,
    geneticOf,
  }: { traits: readonly string[]; weights: readonly number[]; geneticOf: Parameters<typeof readIndex>[3] },
): Promise<PredictionIndex['errorOf']> {
  const places = Array.from(weights.keys()).filter((t) => weights[t] !== 0);
  const genetic = places.flatMap((t) => places.map((s) => geneticOf(traits[t] ?? '')?.[traits[s] ?? '']));
  if (genetic.some((value) => value === undefined) || !(await hasColumn(tables, key, 'se_0'))) return null;
  const pairs = places.flatMap((t) => places.map((s) => `covar_pop(gebv_${t}, gebv_${s})`));
  const figures = [...pairs, ...places.map((t) => `avg(se_${t} * se_${t}) filter (where isfinite(se_${t}))`)];
  const [found] = await tables.query<Record<string, number | null>>(
    key,
    (table) => `select ${figures.map((figure, k) => `${figure} as figure_${k}`).join(', ')} from ${table}`,
  );
  const values = Float64Array.from(figures, (_, k) => found?.[`figure_${k}`] ?? Number.NaN);
  const pevs = values.subarray(pairs.length);
  if (!pevs.every((pev) => pev > 0)) return null;
  const correlation = traitErrorCorrelation(
    Float64Array.from(genetic, (value) => value ?? Number.NaN),
    values.subarray(0, pairs.length),
    pevs,
  );
  return (ses) => {
    let variance = 0;
    for (const [a, t] of places.entries())
      for (const [b, s] of places.entries())
        variance +=
          (weights[t] ?? 0) *
          (weights[s] ?? 0) *
          (correlation[a * places.length + b] ?? 0) *
          (ses[t] ?? Number.NaN) *
          (ses[s] ?? Number.NaN);
    return Number.isFinite(variance) ? Math.sqrt(Math.max(0, variance)) : null;
  };
}
