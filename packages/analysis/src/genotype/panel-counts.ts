import { calledChromosomes, type GenotypeStats } from '@heterosis/file-formats/genotype/genotype-stats';
import {
  type BlockDosages,
  DOSAGE_UNITS,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  POLYPLOID_UNITS,
  ploidyOf,
} from '@heterosis/file-formats/genotype/panel/dosages';
import { MISSING, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { SampleCounter } from '@heterosis/file-formats/genotype/panel/sample-counter';
import { type MarkerFilter, passesFilter } from '@heterosis/statgen/genotypes/call-counts';
import { type HardyWeinbergTest, hardyWeinbergTest } from '@heterosis/statgen/marker-quality/hardy-weinberg';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';

/** The default filter of a run. */
export const DEFAULT_FILTER: MarkerFilter = { maf: 0.05, callRate: 0.9 };

/** Statistics of each marker's calls, in panel order. */
export interface MarkerFigures {
  /** NaN where all calls are missing; also in the other columns except `callRate`. */
  maf: Float64Array;
  callRate: Float64Array;
  /** In polyploids the share of plants with both alleles. */
  heterozygosity: Float64Array;
  /**
   * −log₁₀ p of the exact test of Hardy–Weinberg equilibrium; also NaN for monomorphic markers, and in polyploids.
   */
  hweNegLog10P: Float64Array;
  /** 1 for markers that pass the default filter. */
  passing: Uint8Array;
  passingCount: number;
}

/** Statistics of every marker of `samples` individuals, from the counts of its calls. */
export function markerFigures(samples: number, stats: GenotypeStats): MarkerFigures {
  const { markerMissing, markerHet, markerA2Copies, markerDosage, ploidy = 2 } = stats;
  const markers = markerMissing.length;
  const column = () => new Float64Array(markers).fill(Number.NaN);
  const figures: MarkerFigures = {
    maf: column(),
    callRate: new Float64Array(markers),
    heterozygosity: column(),
    hweNegLog10P: column(),
    passing: new Uint8Array(markers),
    passingCount: 0,
  };
  const counts = {
    individuals: samples,
    missing: markerMissing,
    heterozygous: markerHet,
    homozygousA2: markerA2Copies.map((copies, j) => (copies - markerHet[j]) / 2),
  };
  const tested = rememberedTest();
  for (let j = 0; j < markers; j++) {
    const called = samples - markerMissing[j];
    figures.callRate[j] = samples === 0 ? 0 : called / samples;
    if (called === 0) continue;
    // From integer counts: 1 − frequency is rounded, so the bin would depend on which allele is called A2.
    const copies = markerDosage === null ? markerA2Copies[j] : markerDosage[j];
    const chromosomes = calledChromosomes(stats, samples, j);
    const rareCopies = Math.min(copies, chromosomes - copies);
    figures.maf[j] = rareCopies / chromosomes;
    figures.heterozygosity[j] = markerHet[j] / called;
    if (rareCopies === 0) continue;
    // The equilibrium test counts genotypes: fractional dosages count as the nearest genotype.
    const homozygousA2 = counts.homozygousA2[j];
    if (ploidy === 2)
      figures.hweNegLog10P[j] = tested(markerHet[j], called - markerHet[j] - homozygousA2, homozygousA2);
    const isPassing =
      ploidy === 2 && copies === markerA2Copies[j]
        ? passesFilter(counts, j, DEFAULT_FILTER)
        : figures.maf[j] >= DEFAULT_FILTER.maf && figures.callRate[j] >= DEFAULT_FILTER.callRate;
    if (!isPassing) continue;
    figures.passing[j] = 1;
    figures.passingCount++;
  }
  return figures;
}

/** Cache slots: markers of inbred lines repeat the same few counts. */
const SLOTS = 1 << 14;

function rememberedTest(): (heterozygotes: number, homozygotesA1: number, homozygotesA2: number) => number {
  const keys = new Int32Array(3 * SLOTS).fill(-1);
  const results = new Float64Array(SLOTS);
  const result: HardyWeinbergTest = { p: 1, negLog10P: 0 };
  return (heterozygotes, homozygotesA1, homozygotesA2) => {
    // The test is symmetric in the alleles.
    const fewer = Math.min(homozygotesA1, homozygotesA2);
    const more = homozygotesA1 + homozygotesA2 - fewer;
    const slot =
      (Math.imul(heterozygotes, 0x9e3779b1) ^ Math.imul(fewer, 0x85ebca77) ^ Math.imul(more, 0xc2b2ae3d)) >>> 18;
    if (keys[3 * slot] !== heterozygotes || keys[3 * slot + 1] !== fewer || keys[3 * slot + 2] !== more) {
      keys[3 * slot] = heterozygotes;
      keys[3 * slot + 1] = fewer;
      keys[3 * slot + 2] = more;
      results[slot] = hardyWeinbergTest(heterozygotes, fewer, more, result).negLog10P;
    }
    return results[slot];
  };
}

/** Counts the calls of a panel in one pass, as an import does while writing. */
export async function countPanel(
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'dosages'>,
  context: AnalysisContext,
): Promise<GenotypeStats> {
  const samples = panel.samples.length;
  const markers = panel.markerCount;
  const markerMissing = new Int32Array(markers);
  const markerHet = new Int32Array(markers);
  const markerA2Copies = new Int32Array(markers);
  const markerDosage = panel.dosages === undefined ? null : new Float64Array(markers);
  const { ploidies } = panel.dosages ?? {};
  const markerChromosomes = new Int32Array(ploidies === undefined ? 0 : markers);
  const counter = new SampleCounter(samples);
  const rowBytes = packedLength(samples);
  const { row } = counter;
  // Bits after the last individual are not calls and may have any value.
  const usedBits = samples % 4 === 0 ? 0xff : (1 << (2 * (samples % 4))) - 1;
  const ranges = markerRanges(markers);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'qc', block, ranges.length);
    const { packed, dosages } = await readRange(panel, { first, count });
    for (let k = 0; k < count; k++) {
      row.set(packed.subarray(k * rowBytes, (k + 1) * rowBytes));
      row[rowBytes - 1] &= usedBits;
      counter.add();
      markerMissing[first + k] = counter.counts.missing;
      markerHet[first + k] = counter.counts.het;
      markerA2Copies[first + k] = counter.counts.het + 2 * counter.counts.homA2;
      if (markerDosage === null) continue;
      if (ploidies !== undefined) markerChromosomes[first + k] = chromosomesIn(row, ploidies);
      const place = dosages?.rows[k] ?? -1;
      markerDosage[first + k] =
        dosages === undefined || place < 0
          ? markerA2Copies[first + k]
          : sumOfDosages(dosages, dosages.values.subarray(place * samples, (place + 1) * samples));
    }
  }
  counter.finish();
  reportProgress(context, 'qc', ranges.length, ranges.length);
  const { sampleMissing, sampleHet } = counter;
  const ploidy = ploidyOf(panel);
  return {
    ...(ploidy === 2 ? {} : { ploidy }),
    ...(ploidies === undefined ? {} : { mixed: { ploidies, markerChromosomes } }),
    ...{ markerMissing, markerHet, markerA2Copies, markerDosage, sampleMissing, sampleHet },
  };
}

/** Copies of either allele in the plants with a call. */
function chromosomesIn(row: Uint8Array, ploidies: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < ploidies.length; i++) if (((row[i >> 2] >> (2 * (i & 3))) & 3) !== MISSING) sum += ploidies[i];
  return sum;
}

function sumOfDosages({ ploidy }: BlockDosages, row: BlockDosages['values']): number {
  const [perCopy, absent] =
    ploidy === undefined ? [DOSAGE_UNITS, MISSING_DOSAGE] : [POLYPLOID_UNITS, MISSING_POLYPLOID];
  let sum = 0;
  for (const units of row) if (units !== absent) sum += units;
  return sum / perCopy;
}
