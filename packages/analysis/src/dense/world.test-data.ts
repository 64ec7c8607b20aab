// A small world as plain numbers, and what is asked of it: all that the dense definitions see.
import { createRandomStream } from '@heterosis/statgen/random/random-stream';

export interface DenseMarker {
  id: string;
  chromosome: string;
  positionBp: number;
  /** Copies of the second allele by individual; null where the call is missing. */
  dosages: (number | null)[];
}

export interface DensePanel {
  individuals: string[];
  markers: DenseMarker[];
}

/** Known errors of values: Ω by the names of individuals, and whether a variance of lines is fitted beside. */
export interface DenseErrors {
  covarianceOf(a: string, b: string): number;
  residualLines: boolean;
}

/** Columns of the phenotype file; a text in a factor, null where a value is missing. */
export interface DensePhenotype {
  individuals: string[];
  columns: Map<string, (number | string | null)[]>;
}

/** What options leave out, in the order in which it is applied. */
export interface DenseLeaveOut {
  onlySamples?: string[];
  samples?: string[];
  markers?: string[];
  minSampleCallRate?: number;
  maxSampleHeterozygosity?: number;
  duplicates?: boolean;
  minMarkerCallRate?: number;
  minMaf?: number;
  pruneR2?: number;
}

export interface DenseKinship {
  individuals: string[];
  values: number[][];
}

export interface DenseWorld {
  panel: DensePanel;
  phenotype: DensePhenotype;
}

/** The trait of which `x` explains most, and one without any effect. */
export const TRAITS = { explained: 'yield', nothing: 'noise' } as const;

/** The chromosome of markers that have none. */
export const UNKNOWN = 'UN';

const INDIVIDUALS = 40;
const MARKERS = 112;
/** Of the markers; the last ones have no chromosome. */
const CHROMOSOMES = ['1', '2', '3'];
const UNPLACED = 6;
/** Individuals with few calls, and with many heterozygotes. */
const FEW_CALLS = 7;
const MANY_HETEROZYGOTES = 11;

/**
 * Two subpopulations with families, missing calls everywhere, a copied individual, one with few calls, one with many
 * heterozygotes, a marker with few calls, a rare one and one with a single allele.
 */
export function denseWorld(seed: number): DenseWorld {
  const random = createRandomStream(seed, 'dense world');
  const individuals = Array.from({ length: INDIVIDUALS }, (_, i) => `L${String(i + 1).padStart(2, '0')}`);
  const genetic = individuals.map(() => 0);
  const base = individuals.map(() => 0);
  const markers = Array.from({ length: MARKERS }, (_, j): DenseMarker => {
    const place = Math.floor((j * CHROMOSOMES.length) / (MARKERS - UNPLACED));
    const p = 0.25 + 0.5 * random.uniform();
    const effect = j === 12 ? 1.6 : 0.3 * random.normal();
    for (const i of individuals.keys()) {
      const q = Math.min(0.9, Math.max(0.1, p + (i % 2 === 0 ? 0.15 : -0.15)));
      // Neighbouring markers are in LD.
      const isNew = j % 3 === 0 || random.uniform() < 0.3;
      if (isNew)
        base[i] = Number(random.uniform() < q) + Number(random.uniform() < (i === MANY_HETEROZYGOTES ? 1 - q : q));
      genetic[i] += effect * base[i];
    }
    return {
      id: `m${j + 1}`,
      chromosome: j >= MARKERS - UNPLACED ? UNKNOWN : CHROMOSOMES[place],
      positionBp: 40_000 * (j + 1),
      dosages: individuals.map((_, i) => {
        const dosage = i === MANY_HETEROZYGOTES && j % 4 !== 0 ? 1 : base[i];
        const missing = i === FEW_CALLS ? 0.3 : j === 20 ? 0.2 : 0.03;
        return random.uniform() < missing ? null : j === 25 ? (i < 2 ? 1 : 0) : j === 26 ? 2 : dosage;
      }),
    };
  });
  // The last is a copy of L03, with one call less.
  for (const [j, { dosages }] of markers.entries()) dosages[INDIVIDUALS - 1] = j === 4 ? null : dosages[2];
  const x = individuals.map(() => 5 * random.normal());
  const age = individuals.map(() => Math.round(30 + 4 * random.normal()));
  const origin = individuals.map((_, i) => ['north', 'south', 'west'][(i * 7) % 3]);
  const family = individuals.map((_, i) => `F${1 + (i % 4)}`);
  const round = (value: number): number => Math.round(1000 * value) / 1000;
  const yields = individuals.map((_, i) =>
    i % 13 === 5 ? null : round(20 + 3 * x[i] + genetic[i] + 1.5 * random.normal()),
  );
  const noise = individuals.map((_, i) => (i % 17 === 4 ? null : round(10 + random.normal())));
  const columns = new Map<string, (number | string | null)[]>([
    [TRAITS.explained, yields],
    [TRAITS.nothing, noise],
    ['x', x.map((value, i) => (i === 20 ? null : round(value)))],
    ['age', age],
    ['origin', origin],
    ['family', family],
  ]);
  return { panel: { individuals, markers }, phenotype: { individuals, columns } };
}

/** Some individuals and markers of a panel, by their places. */
export function partOfPanel(panel: DensePanel, individuals: readonly number[], markers: readonly number[]): DensePanel {
  return {
    individuals: individuals.map((i) => panel.individuals[i]),
    markers: markers.map((j) => ({
      ...panel.markers[j],
      dosages: individuals.map((i) => panel.markers[j].dosages[i]),
    })),
  };
}

export const indexes = (length: number): number[] => Array.from({ length }, (_, i) => i);
