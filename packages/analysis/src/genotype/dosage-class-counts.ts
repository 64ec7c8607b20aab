import type { BlockDosages } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypeStats } from '@heterosis/file-formats/genotype/panel/panel-writer';
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
}

/** The same in the description of a file; field names as in the API. */
export interface DosageSummary {
  /** Calls of all markers by copies of A2, from 0 to the ploidy. */
  dosage_classes: number[];
  /** As many as random mating without double reduction would give, at the frequency of each marker. */
  expected_dosage_classes: number[];
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
      }
    },
    finish: () => ({ ploidy, ofMarker, gameticHeterozygosity }),
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
  let calls = 0;
  for (let j = 0; j < markerMissing.length; j++) {
    const called = samples - markerMissing[j];
    if (called === 0) continue;
    const frequency = (markerDosage?.[j] ?? 0) / (ploidy * called);
    const classes = equilibriumClasses(ploidy, frequency);
    for (let k = 0; k <= ploidy; k++) {
      observed[k] = (observed[k] ?? 0) + ofMarker[j * (ploidy + 1) + k];
      expected[k] = (expected[k] ?? 0) + called * (classes[k] ?? 0);
    }
    differing += called * gameticHeterozygosity[j];
    calls += called;
  }
  return {
    dosage_classes: observed,
    expected_dosage_classes: expected,
    gametic_heterozygosity: calls === 0 ? 0 : differing / calls,
    marker_gametic_heterozygosity: histogram(gameticHeterozygosity, 0, 1),
  };
}

/** Shares of plants with 0 … p copies under random mating without double reduction: (p choose k) fᵏ(1 − f)ᵖ⁻ᵏ. */
function equilibriumClasses(ploidy: number, frequency: number): number[] {
  let ways = 1;
  return Array.from({ length: ploidy + 1 }, (_, k) => {
    if (k > 0) ways = (ways * (ploidy - k + 1)) / k;
    return ways * frequency ** k * (1 - frequency) ** (ploidy - k);
  });
}
