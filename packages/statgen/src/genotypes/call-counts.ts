import { StatgenError } from '../statgen-error.ts';
import { countDosages, type FractionalCounts, type FractionalDosages } from './fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked } from './packed-calls.ts';

/** Calls of each marker among the individuals analysed, one entry per marker. */
export interface CallCounts {
  /** Individuals analysed. */
  individuals: number;
  heterozygous: Int32Array;
  /** Two copies of A2. */
  homozygousA2: Int32Array;
  missing: Int32Array;
  /**
   * Counts of the markers with fractional dosages, whose nearest calls are counted above; undefined if the block has
   * none.
   */
  fractional?: FractionalCounts | undefined;
}

/** Which markers an analysis uses; both limits are inclusive. */
export interface MarkerFilter {
  /** Smallest minor allele frequency, 0 … 0.5. */
  maf: number;
  /** Smallest share of individuals with a call, 0 … 1. */
  callRate: number;
}

/** Bytes that fit into ten-bit fields when summed: four calls each, 255 × 4 < 1024. */
const BYTES_PER_FLUSH = 255;

/** Per byte of four calls: missing + 2^10 · heterozygous + 2^20 · two copies of A2. */
const COUNTS_OF_BYTE = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  for (let shift = 0; shift < 8; shift += 2) {
    const call = (byte >> shift) & 3;
    COUNTS_OF_BYTE[byte] += call === 1 ? 1 : call === 2 ? 1 << 10 : call === 3 ? 1 << 20 : 0;
  }
}

/**
 * Counts the calls of every marker of a block in one pass over the bytes with a 256-entry table (or over the selected
 * individuals).
 *
 * @param packed count × ceil(panelSize / 4) bytes
 * @param dosages of the same markers; undefined where all are whole numbers
 * @throws StatgenError `shape-mismatch` when the bytes or the selected positions do not fit the panel
 */
export function countCalls(
  packed: Uint8Array,
  count: number,
  selection: PanelSelection,
  dosages?: FractionalDosages,
): CallCounts {
  const counts = countPacked(packed, count, selection);
  if (dosages !== undefined) counts.fractional = countDosages(dosages, count, selection);
  return counts;
}

function countPacked(packed: Uint8Array, count: number, selection: PanelSelection): CallCounts {
  requirePacked(packed, count, selection);
  const { panelSize, individuals } = selection;
  const stride = bytesPerMarker(panelSize);
  const heterozygous = new Int32Array(count);
  const homozygousA2 = new Int32Array(count);
  const missing = new Int32Array(count);
  if (individuals === undefined) {
    const fullBytes = panelSize >> 2;
    const lastMask = (1 << (2 * (panelSize & 3))) - 1;
    for (let j = 0; j < count; j++) {
      const start = j * stride;
      const end = start + fullBytes;
      let offset = start;
      while (offset < end) {
        const stop = Math.min(end, offset + BYTES_PER_FLUSH);
        let sum = 0;
        for (; offset < stop; offset++) sum += COUNTS_OF_BYTE[packed[offset]];
        missing[j] += sum & 1023;
        heterozygous[j] += (sum >> 10) & 1023;
        homozygousA2[j] += sum >> 20;
      }
      if (lastMask > 0) {
        // The unused bits of the last byte become 00, which is not counted.
        const sum = COUNTS_OF_BYTE[packed[end] & lastMask];
        missing[j] += sum & 1023;
        heterozygous[j] += (sum >> 10) & 1023;
        homozygousA2[j] += sum >> 20;
      }
    }
    return { individuals: panelSize, heterozygous, homozygousA2, missing };
  }
  const tally = new Int32Array(4);
  for (let j = 0; j < count; j++) {
    tally.fill(0);
    const start = j * stride;
    for (let i = 0; i < individuals.length; i++) {
      const individual = individuals[i];
      tally[(packed[start + (individual >> 2)] >> ((individual & 3) << 1)) & 3]++;
    }
    missing[j] = tally[1];
    heterozygous[j] = tally[2];
    homozygousA2[j] = tally[3];
  }
  return { individuals: individuals.length, heterozygous, homozygousA2, missing };
}

/** Copies of A2 in a homozygote. */
export function ploidyOf(counts: CallCounts): number {
  return counts.fractional?.ploidy ?? 2;
}

/** Copies of A2 among the calls of marker `j`. */
export function copiesOfA2(counts: CallCounts, j: number): number {
  if (counts.fractional?.isFractional[j] === 1) return counts.fractional.copiesA2[j];
  return counts.heterozygous[j] + 2 * counts.homozygousA2[j];
}

/**
 * Heterozygotes among the calls of marker `j`; a fractional dosage contributes 1 − |1 − dosage|, a polyploid the share
 * of pairs of its alleles that differ.
 */
export function heterozygotes(counts: CallCounts, j: number): number {
  return counts.fractional?.isFractional[j] === 1 ? counts.fractional.heterozygotes[j] : counts.heterozygous[j];
}

/** Whether all calls of marker `j` are heterozygous, as between two pools of hybrids. */
export function isAllHeterozygous(counts: CallCounts, j: number): boolean {
  const called = counts.individuals - counts.missing[j];
  return called > 0 && heterozygotes(counts, j) === called;
}

/** Sum of the squared deviations of the dosages of marker `j` from their mean. */
export function centredSquares(counts: CallCounts, j: number): number {
  if (counts.fractional?.isFractional[j] === 1) return counts.fractional.centredSquares[j];
  const called = counts.individuals - counts.missing[j];
  const sum = counts.heterozygous[j] + 2 * counts.homozygousA2[j];
  return counts.heterozygous[j] + 4 * counts.homozygousA2[j] - (sum * sum) / called;
}

/** Frequency of A2 among the calls of marker `j`; NaN when all are missing. */
export function frequencyA2(counts: CallCounts, j: number): number {
  const called = counts.individuals - counts.missing[j];
  return called === 0 ? Number.NaN : copiesOfA2(counts, j) / (ploidyOf(counts) * called);
}

/** Share of individuals with a call of marker `j`. */
export function callRate(counts: CallCounts, j: number): number {
  return counts.individuals === 0 ? 0 : (counts.individuals - counts.missing[j]) / counts.individuals;
}

/** Tolerance at the inclusive limits: a frequency of 0.05 among 300 individuals must pass a limit of 0.05. */
const LIMIT_ROUNDING = 1e-12;

/** Whether marker `j` is polymorphic and passes both limits. */
export function passesFilter(counts: CallCounts, j: number, filter: MarkerFilter): boolean {
  const called = counts.individuals - counts.missing[j];
  const copies = copiesOfA2(counts, j);
  if (called === 0 || copies === 0 || copies === ploidyOf(counts) * called) return false;
  if (counts.fractional?.isFractional[j] === 1 && counts.fractional.centredSquares[j] === 0) return false;
  const p = copies / (ploidyOf(counts) * called);
  return Math.min(p, 1 - p) >= filter.maf - LIMIT_ROUNDING && callRate(counts, j) >= filter.callRate - LIMIT_ROUNDING;
}

/** @throws StatgenError `bad-option` when a limit is out of range */
export function requireFilter(filter: MarkerFilter): void {
  if (!(filter.maf >= 0 && filter.maf <= 0.5)) {
    throw new StatgenError('bad-option', `the smallest minor allele frequency must be 0 to 0.5, not ${filter.maf}`);
  }
  if (!(filter.callRate >= 0 && filter.callRate <= 1)) {
    throw new StatgenError('bad-option', `the smallest call rate must be 0 to 1, not ${filter.callRate}`);
  }
}
