import { WHOLE_PLOT } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import type { PlotTable } from './plot-table.ts';

type Environment = PlotTable['environments'][number];

/**
 * The treatments of the whole plots of an environment; none without such a column. They are crossed with the lines when
 * a line stands in several: lines can then be compared within them.
 */
export function wholePlotsOf(
  { traits }: Pick<PlotTable, 'traits'>,
  { plots }: Environment,
): { treatments: string[]; areCrossed: boolean } {
  const place = traits.findIndex(({ name }) => name === WHOLE_PLOT);
  const treatments = new Set<string>();
  const first = new Map<string, string>();
  let areCrossed = false;
  for (const { name, values } of plots) {
    const treatment = values.get(place);
    if (treatment === undefined) continue;
    treatments.add(treatment);
    areCrossed ||= (first.get(name) ?? treatment) !== treatment;
    if (!first.has(name)) first.set(name, treatment);
  }
  return { treatments: [...treatments].sort(), areCrossed };
}

/** What the models make of the treatments of whole plots, for a person who reads the results. */
export function wholePlotNotes(
  table: Pick<PlotTable, 'traits'>,
  environment: Environment,
  terms: { fixed: readonly { text: string }[]; random: readonly { text: string }[] },
): string[] {
  const { treatments } = wholePlotsOf(table, environment);
  if (treatments.length < 2) return [];
  const isIn = [...terms.fixed, ...terms.random].some(({ text }) => text.split(':').includes(WHOLE_PLOT));
  const words = `treatments of the whole plots (${treatments.slice(0, 5).join(', ')}${treatments.length > 5 ? ', …' : ''})`;
  return [
    isIn
      ? `The ${words} are a term of the models of blocks, ${WHOLE_PLOT}; a mean is over all of them. Models of the trend of the field have no such terms.`
      : `The ${words} are not in the model. Name ${WHOLE_PLOT} among the fixed terms to compare lines within them.`,
  ];
}
