import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import { indexShares, standardizedWeight } from '@heterosis/statgen/mating/standardized-weights';
import type { ResultTables } from '../../../platform/result-tables/result-tables.ts';

export interface PredictionIndex {
  /** Per unit of each trait, negative where low values are better. */
  weights: number[];
  /**
   * A query over the table with two columns more: `selection_index`, the sum of the weighted deviations of the breeding
   * values from their means; and `index_rank`, 0-based, the best first.
   */
  source: (table: string) => string;
}

/**
 * The index of the project over the individuals of a prediction; undefined where fewer than two traits have a weight.
 * Crossing plans without weights of their own have the same one.
 *
 * @param traits settings of the traits of the table, in its order
 */
export async function readIndex(
  tables: ResultTables,
  key: string,
  traits: readonly ProjectTrait[],
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
  return { weights, source };
}
