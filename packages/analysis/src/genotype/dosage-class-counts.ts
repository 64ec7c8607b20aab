import type { GenotypeStats } from '@heterosis/file-formats/genotype/genotype-stats';
import type { BlockDosages } from '@heterosis/file-formats/genotype/panel/dosages';
import { chiSquareNegLog10P } from '@heterosis/statgen/association/chi-square-tail';
import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import { countDosages } from '@heterosis/statgen/genotypes/fractional-dosages';
import { type Histogram, histogram } from './histogram.ts';

/** Calls of polyploids of ploidy p by their copies of A2, a fraction counting as the nearest whole number. */
export interface DosageClassCounts {
  ploidy: number;
  /** By marker: p + 1 counts, from no copy to all. */
  ofMarker: Int32Array;
  /** By marker: mean over plants of x(p − x)/(p choose 2), of the dosages as they are; NaN without a call. */
  gameticHeterozygosity: Float64Array;
  /** By marker: test of random mating without double reduction; NaN where it is monomorphic. */
  hwe: { p: Float64Array; negLog10P: Float64Array };
}

/** The same in the description of a file; field names as in the API. */
export interface DosageSummary {
  /** Calls of all markers by copies of A2, from 0 to the ploidy. */
  dosage_classes: number[];
  /** As many as random mating without double reduction would give, at the frequency of each marker. */
  expected_dosage_classes: number[];
  /** The same with double reduction as estimated; null beyond tetraploids. */
  expected_with_double_reduction: number[] | null;
  /** From the mean F of the panel under random mating; 0 where F is not above 0, null without a polymorphic marker. */
  double_reduction: number | null;
  /** Chance that two alleles of a plant at a marker differ, over all calls. */
  gametic_heterozygosity: number;
  marker_gametic_heterozygosity: Histogram;
}

interface ClassCounter {
  add(packed: Uint8Array, first: number, count: number, dosages: BlockDosages | undefined): void;
  finish(): DosageClassCounts;
}

/** Counts the classes of a panel of polyploids block by block. O(calls). */
export function createClassCounter(samples: number, markers: number, ploidy: number): ClassCounter {
  const width = ploidy + 1;
  const ofMarker = new Int32Array(markers * width);
  const gameticHeterozygosity = new Float64Array(markers).fill(Number.NaN);
  const classes = new Uint8Array(samples);
  const hwe = { p: new Float64Array(markers).fill(Number.NaN), negLog10P: new Float64Array(markers).fill(Number.NaN) };
  return {
    add(packed, first, count, dosages) {
      if (dosages === undefined) return;
      const { heterozygotes } = countDosages(dosages, count, { panelSize: samples });
      for (let k = 0; k < count; k++) {
        dosageClasses({ packed, dosages }, k, { panelSize: samples }, classes);
        const at = (first + k) * width;
        let called = 0;
        for (const one of classes) {
          if (one === NO_CLASS) continue;
          ofMarker[at + one]++;
          called++;
        }
        if (called > 0) gameticHeterozygosity[first + k] = heterozygotes[k] / called;
        const test = randomMatingTest(ofMarker.subarray(at, at + width));
        if (test === null) continue;
        hwe.p[first + k] = test.p;
        hwe.negLog10P[first + k] = test.negLog10P;
      }
    },
    finish: () => ({ ploidy, ofMarker, gameticHeterozygosity, hwe }),
  };
}

/** What a page shows of the classes of a panel of `samples` plants. */
export function summarizeClasses(
  samples: number,
  { ploidy, ofMarker, gameticHeterozygosity }: DosageClassCounts,
  { markerMissing, markerDosage }: Pick<GenotypeStats, 'markerMissing' | 'markerDosage'>,
): DosageSummary {
  const observed = Array<number>(ploidy + 1).fill(0);
  const expected = Array<number>(ploidy + 1).fill(0);
  let differing = 0;
  let expectedDiffering = 0;
  let calls = 0;
  const frequencyOf = (j: number): number =>
    (markerDosage?.[j] ?? 0) / (ploidy * Math.max(1, samples - markerMissing[j]));
  for (let j = 0; j < markerMissing.length; j++) {
    const called = samples - markerMissing[j];
    if (called === 0) continue;
    const frequency = frequencyOf(j);
    const classes = equilibriumClasses(ploidy, frequency);
    for (let k = 0; k <= ploidy; k++) {
      observed[k] = (observed[k] ?? 0) + ofMarker[j * (ploidy + 1) + k];
      expected[k] = (expected[k] ?? 0) + called * (classes[k] ?? 0);
    }
    differing += called * gameticHeterozygosity[j];
    expectedDiffering += called * 2 * frequency * (1 - frequency);
    calls += called;
  }
  const doubleReduction = expectedDiffering > 0 ? doubleReductionOf(ploidy, 1 - differing / expectedDiffering) : null;
  const withDoubleReduction = (lambda: number): number[] => {
    const sums = Array<number>(ploidy + 1).fill(0);
    for (let j = 0; j < markerMissing.length; j++) {
      const shares = tetraploidClasses(frequencyOf(j), lambda);
      for (const [k, share] of shares.entries()) sums[k] = (sums[k] ?? 0) + (samples - markerMissing[j]) * share;
    }
    return sums;
  };
  return {
    dosage_classes: observed,
    expected_dosage_classes: expected,
    expected_with_double_reduction:
      ploidy === 4 && doubleReduction !== null
        ? withDoubleReduction(Math.min(doubleReduction, MOST_OF_TETRAPLOIDS))
        : null,
    double_reduction: doubleReduction,
    gametic_heterozygosity: calls === 0 ? 0 : differing / calls,
    marker_gametic_heterozygosity: histogram(gameticHeterozygosity, 0, 1),
  };
}

/** The classes of one marker beside those of random mating. */
export interface ClassesOfMarker {
  counts: number[];
  missing: number;
  expected: number[];
  /** With double reduction as estimated from the panel; null beyond tetraploids, and where it is not known. */
  expectedWithDoubleReduction: number[] | null;
  /** Null where there is one allele. */
  negLog10P: number | null;
}

/** @param classes one entry a plant, as `dosageClasses` gives them */
export function classesOfMarker(classes: Uint8Array, ploidy: number, doubleReduction: number | null): ClassesOfMarker {
  const counts = new Int32Array(ploidy + 1);
  for (const one of classes) if (one !== NO_CLASS) counts[one]++;
  const called = counts.reduce((sum, count) => sum + count, 0);
  const frequency = counts.reduce((sum, count, copies) => sum + count * copies, 0) / (ploidy * Math.max(1, called));
  const plants = (shares: readonly number[]): number[] => shares.map((share) => called * share);
  return {
    counts: [...counts],
    missing: classes.length - called,
    expected: plants(equilibriumClasses(ploidy, frequency)),
    expectedWithDoubleReduction:
      ploidy === 4 && doubleReduction !== null
        ? plants(tetraploidClasses(frequency, Math.min(doubleReduction, MOST_OF_TETRAPLOIDS)))
        : null,
    negLog10P: randomMatingTest(counts)?.negLog10P ?? null,
  };
}

/** Double reduction of tetraploids when all chromatids of a locus separate at random from their sisters. */
const MOST_OF_TETRAPLOIDS = 1 / 6;

/**
 * χ² of the classes of a marker against random mating without double reduction, (k choose x)fˣ(1 − f)ᵏ⁻ˣ with f of the
 * classes, on k − 1 degrees of freedom for k + 1 classes. Classes with few plants expected make it too large.
 *
 * @param counts plants with 0 … k copies
 * @returns null where there is one allele, or no plant
 */
export function randomMatingTest(counts: Int32Array): { p: number; negLog10P: number; chiSquare: number } | null {
  const ploidy = counts.length - 1;
  let n = 0;
  let copies = 0;
  for (let x = 0; x <= ploidy; x++) {
    n += counts[x];
    copies += x * counts[x];
  }
  if (copies === 0 || copies === ploidy * n) return null;
  const expected = equilibriumClasses(ploidy, copies / (ploidy * n));
  const chiSquare = expected.reduce((sum, share, x) => sum + (counts[x] - n * share) ** 2 / (n * share), 0);
  const negLog10P = chiSquareNegLog10P(chiSquare, ploidy - 1);
  return { p: Math.max(10 ** -negLog10P, Number.MIN_VALUE), negLog10P, chiSquare };
}

/**
 * Double reduction λ from the inbreeding F of a panel: under random mating two alleles of a plant descend from one only
 * if they came by one gamete, so that F = c·(λ + (1 − λ)F) with c = (k/2 − 1)/(k − 1), the share of such pairs, and λ =
 * F(1 − c)/(c(1 − F)); with k = 4 the equilibrium F = λ/(2 + λ) (Kerr et al. 2012). Relatives as parents raise F too.
 *
 * @returns 0 where F is not above 0
 */
function doubleReductionOf(ploidy: number, inbreeding: number): number {
  const ofOneGamete = (ploidy / 2 - 1) / (ploidy - 1);
  return inbreeding >= 1 ? 1 : Math.max(0, (inbreeding * (1 - ofOneGamete)) / (ofOneGamete * (1 - inbreeding)));
}

/** Shares of tetraploids with 0 … 4 copies under random mating: of two gametes whose alleles are one by 3λ/(2 + λ). */
function tetraploidClasses(frequency: number, lambda: number): number[] {
  const one = (3 * lambda) / (2 + lambda);
  const mixed = 2 * frequency * (1 - frequency) * (1 - one);
  const gametes = [1 - frequency - mixed / 2, mixed, frequency - mixed / 2];
  return Array.from({ length: 5 }, (_, x) =>
    gametes.reduce((sum, share, copies) => sum + share * (gametes[x - copies] ?? 0), 0),
  );
}

/** Shares of plants with 0 … p copies under random mating without double reduction: (p choose k) fᵏ(1 − f)ᵖ⁻ᵏ. */
function equilibriumClasses(ploidy: number, frequency: number): number[] {
  let ways = 1;
  return Array.from({ length: ploidy + 1 }, (_, k) => {
    if (k > 0) ways = (ways * (ploidy - k + 1)) / k;
    return ways * frequency ** k * (1 - frequency) ** (ploidy - k);
  });
}
