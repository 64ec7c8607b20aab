import type { Matrix } from '@heterosis/linalg/matrix';
import type { PanelSelection } from './packed-calls.ts';

/** Units per copy of A2: dosages are stored to 2⁻¹⁴ of a copy, as in PLINK 2's `.pgen`. */
export const DOSAGE_UNITS = 16_384;
/** A missing dosage. */
export const MISSING_DOSAGE = 65_535;

/**
 * Dosages of the markers of a block that have fractional ones (imputed or expected copies of A2). The block's packed
 * calls hold the nearest whole numbers; both are missing for the same individuals.
 */
export interface FractionalDosages {
  /** By marker of the block: its row in `values`, −1 for a marker with whole numbers only. */
  rows: Int32Array;
  /**
   * Each row has one entry per individual of the panel: copies of A2 × {@link DOSAGE_UNITS}, or {@link
   * MISSING_DOSAGE}.
   */
  values: Uint16Array;
}

/** Counts for the markers with fractional dosages among the individuals analysed; entries of other markers are 0. */
export interface FractionalCounts {
  /** 1 for a marker with fractional dosages. */
  isFractional: Uint8Array;
  /** Sum of the dosages. */
  copiesA2: Float64Array;
  /** Sum of 1 − |1 − dosage|, the expected number of heterozygotes at a dosage between two whole numbers. */
  heterozygotes: Float64Array;
  /** Sum of squared deviations from the mean; exactly 0 if all dosages are equal. */
  centredSquares: Float64Array;
}

/** Dosages of `count` markers from marker `first` of a block; undefined if none has fractions. */
export function dosagesOfPart(
  dosages: FractionalDosages | undefined,
  first: number,
  count: number,
): FractionalDosages | undefined {
  const rows = dosages?.rows.subarray(first, first + count);
  return rows?.some((row) => row >= 0) ? { rows, values: dosages?.values ?? new Uint16Array(0) } : undefined;
}

/** Counts the dosages of a block of `count` markers; O(individuals) per marker with fractions. */
export function countDosages(
  { rows, values }: FractionalDosages,
  count: number,
  { panelSize, individuals }: PanelSelection,
): FractionalCounts {
  const n = individuals?.length ?? panelSize;
  const counts: FractionalCounts = {
    isFractional: new Uint8Array(count),
    copiesA2: new Float64Array(count),
    heterozygotes: new Float64Array(count),
    centredSquares: new Float64Array(count),
  };
  for (let j = 0; j < count; j++) {
    if (rows[j] < 0) continue;
    const start = rows[j] * panelSize;
    let called = 0;
    let sum = 0;
    let heterozygotes = 0;
    let lowest = MISSING_DOSAGE;
    let highest = 0;
    for (let i = 0; i < n; i++) {
      const value = values[start + (individuals === undefined ? i : individuals[i])];
      if (value === MISSING_DOSAGE) continue;
      called++;
      // Integers below 2⁵³ throughout: exact.
      sum += value;
      heterozygotes += DOSAGE_UNITS - Math.abs(value - DOSAGE_UNITS);
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    counts.isFractional[j] = 1;
    counts.copiesA2[j] = sum / DOSAGE_UNITS;
    counts.heterozygotes[j] = heterozygotes / DOSAGE_UNITS;
    if (lowest >= highest) continue;
    const mean = sum / called;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const value = values[start + (individuals === undefined ? i : individuals[i])];
      if (value !== MISSING_DOSAGE) squares += (value - mean) * (value - mean);
    }
    counts.centredSquares[j] = squares / (DOSAGE_UNITS * DOSAGE_UNITS);
  }
  return counts;
}

/**
 * Overwrites the columns of the markers with fractional dosages. The value of a dosage is interpolated linearly
 * between the values of 0, 1 and 2 copies: exact for every coding linear in the dosage, an approximation for dominance
 * deviations.
 *
 * @param markers positions within the block, in the order of the columns
 * @param values four numbers for each marker of the block, in the layout of `CallValues`
 * @param out individuals × markers, column-major
 */
export function decodeDosages(
  { rows, values: dosages }: FractionalDosages,
  { panelSize, individuals }: PanelSelection,
  markers: Int32Array,
  values: Float64Array,
  out: Matrix['data'],
): void {
  const n = individuals?.length ?? panelSize;
  for (let column = 0; column < markers.length; column++) {
    const j = markers[column];
    if (rows[j] < 0) continue;
    const start = rows[j] * panelSize;
    const [none, missing, one, two] = values.subarray(4 * j, 4 * j + 4);
    const below = (one - none) / DOSAGE_UNITS;
    const above = (two - one) / DOSAGE_UNITS;
    let o = column * n;
    for (let i = 0; i < n; i++, o++) {
      const dosage = dosages[start + (individuals === undefined ? i : individuals[i])];
      if (dosage === MISSING_DOSAGE) out[o] = missing;
      else if (dosage <= DOSAGE_UNITS) out[o] = none + dosage * below;
      else out[o] = one + (dosage - DOSAGE_UNITS) * above;
    }
  }
}
