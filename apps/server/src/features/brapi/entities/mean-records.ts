import type { PhenotypeRecords } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { ServedMeans } from '../../work/trial-analyses/index.ts';

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

/** Means as records: a unit for each line in an environment, a trait for each figure. */
export interface MeanRecords extends PhenotypeRecords {
  traits: ObservedTrait[];
  /** Of each environment the phenotype file that it is from. */
  fileIds: string[];
}

export function recordsOfMeans(traits: readonly ServedMeans[]): MeanRecords {
  const environments = new Map<string, { place: number; fileId: string }>();
  const units = new Map<string, { place: number; environment: number; individual: string }>();
  const rows: { unit: number; trait: number; value: string }[] = [];
  for (const [t, { environments: own, means }] of traits.entries()) {
    for (const { name, fileId } of own)
      if (!environments.has(name)) environments.set(name, { place: environments.size, fileId });
    for (const row of means) {
      const environment = environments.get(own[row.environment_place]?.name ?? '')?.place ?? -1;
      const key = `${environment} ${row.line}`;
      const unit = units.get(key) ?? { place: units.size, environment, individual: row.line };
      units.set(key, unit);
      for (const [k, name] of NAMES.entries()) {
        const value = row[name];
        if (value !== null) rows.push({ unit: unit.place, trait: t * NAMES.length + k, value: String(value) });
      }
    }
  }
  rows.sort((a, b) => a.unit - b.unit || a.trait - b.trait);
  return {
    traits: traits.flatMap(({ trait, unit }) => NAMES.map((statistic) => estimatedTrait(trait, unit, statistic))),
    environments: [...environments.keys()].map((name) => ({ name, design: {} })),
    fileIds: [...environments.values()].map(({ fileId }) => fileId),
    units: [...units.values()].map(({ environment, individual }) => ({ line: 0, individual, environment, design: {} })),
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
