import type { PhenotypeRecords } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { FigureCounts, ServedMean } from '../../work/trial-analyses/index.ts';

/** What a trial analysis says of a line in an environment, and how it is called in BrAPI. */
export const STATISTICS = {
  mean: { ending: 'mean', method: 'Mean (BLUE) of a trial analysis', about: 'The mean adjusted for the field.' },
  se: { ending: 'mean SE', method: 'Standard error of a mean', about: 'Of the mean of the same trial analysis.' },
  blup: {
    ending: 'BLUP',
    method: 'BLUP of a trial analysis',
    about: 'With random lines: a deviation from the mean of the environment.',
  },
  blup_se: {
    ending: 'BLUP SE',
    method: 'Standard error of a BLUP',
    about: 'Root of the prediction error variance of the same trial analysis.',
  },
} as const;
export type Statistic = keyof typeof STATISTICS;
const NAMES = Object.keys(STATISTICS) as Statistic[];

/** A trait as it was measured, or a figure of it from a trial analysis. */
export interface ObservedTrait extends TraitColumn {
  estimated?: { trait: string; statistic: Statistic };
}

/** The traits that means are served as: each of the analysis by its figures. */
export const estimatedTraits = (traits: readonly { trait: string; unit: string | null }[]): ObservedTrait[] =>
  traits.flatMap(({ trait, unit }) => NAMES.map((statistic) => estimatedTrait(trait, unit, statistic)));

/** How many of an environment's figures are of some of {@link estimatedTraits}; undefined: of all. */
export const countFigures = (figures: readonly FigureCounts[], traits: ReadonlySet<number> | undefined): number =>
  figures
    .flatMap((counts) => NAMES.map((name) => counts[name]))
    .reduce((sum, count, trait) => ((traits?.has(trait) ?? true) ? sum + count : sum), 0);

/** Means of an environment, by trait, as records: a unit for each line, an observation for each figure. */
export function recordsOfMeans(
  environment: string,
  traits: ObservedTrait[],
  means: readonly (readonly ServedMean[])[],
): PhenotypeRecords {
  const units = new Map<string, number>();
  const rows: { unit: number; trait: number; value: string }[] = [];
  for (const [t, own] of means.entries()) {
    for (const row of own) {
      const unit = units.get(row.line) ?? units.size;
      units.set(row.line, unit);
      for (const [k, name] of NAMES.entries()) {
        const value = row[name];
        if (value !== null) rows.push({ unit, trait: t * NAMES.length + k, value: String(value) });
      }
    }
  }
  rows.sort((a, b) => a.unit - b.unit || a.trait - b.trait);
  return {
    traits,
    environments: [{ name: environment, design: {} }],
    units: Array.from(units.keys(), (individual) => ({ line: 0, individual, environment: 0, design: {} })),
    kinds: Array.from(units, () => null),
    unit: Int32Array.from(rows, ({ unit }) => unit),
    trait: Int32Array.from(rows, ({ trait }) => trait),
    value: rows.map(({ value }) => value),
    time: new Float64Array(rows.length).fill(Number.NaN),
  };
}

const estimatedTrait = (trait: string, unit: string | null, statistic: Statistic): ObservedTrait => ({
  ...{ name: `${trait} ${STATISTICS[statistic].ending}`, unit, ontologyId: null, kind: 'numeric' },
  estimated: { trait, statistic },
});
