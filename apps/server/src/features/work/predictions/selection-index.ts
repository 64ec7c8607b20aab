import type { ProjectTrait } from '@heterosis/contracts/people/projects';

/**
 * A query over the table of a prediction with two columns more: `selection_index`, the weighted mean of the breeding
 * values of all traits, each standardized over the individuals of the prediction and turned round where low values
 * are better; and `index_rank`, 0-based, the best first. A trait in which all are equal counts as 0 for everybody.
 * Undefined where fewer than two traits have a weight.
 *
 * @param traits settings of the traits of the table, in its order
 */
export function withIndex(traits: readonly ProjectTrait[]): ((table: string) => string) | undefined {
  const weighted = traits.flatMap(({ weight, direction }, t) =>
    weight > 0 ? [{ t, weight: direction === 'lower' ? -weight : weight }] : [],
  );
  if (weighted.length < 2) return undefined;
  const total = weighted.reduce((sum, { weight }) => sum + Math.abs(weight), 0);
  const terms = weighted.map(
    ({ t, weight }) =>
      `${weight / total} * coalesce((gebv_${t} - avg(gebv_${t}) over ()) / nullif(stddev_pop(gebv_${t}) over (), 0), 0)`,
  );
  return (table) => `(
    select *, row_number() over (order by selection_index desc, place) - 1 as index_rank
    from (select *, ${terms.join(' + ')} as selection_index from ${table})
  )`;
}
