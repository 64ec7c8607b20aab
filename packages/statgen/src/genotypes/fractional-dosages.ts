import type { Matrix } from '@heterosis/linalg/matrix';
import type { PanelSelection } from './packed-calls.ts';

/** Units per copy of A2: dosages are stored to 2⁻¹⁴ of a copy, as in PLINK 2's `.pgen`. */
export const DOSAGE_UNITS = 16_384;
/** A missing dosage. */
export const MISSING_DOSAGE = 65_535;
/** Units per copy of A2 of polyploids. */
export const POLYPLOID_UNITS = 100_000_000;
/** A missing dosage of a polyploid. */
export const MISSING_POLYPLOID = 0xffffffff;

/**
 * Dosages of the markers of a block that have fractional ones (imputed or expected copies of A2). The block's packed
 * calls hold the nearest whole numbers; both are missing for the same individuals. In polyploids every marker has its
 * dosages here, and the packed calls tell only no copy, some, all and missing.
 */
export interface FractionalDosages {
  /** By marker of the block: its row in `values`, −1 for a marker with whole numbers only. */
  rows: Int32Array;
  /**
   * Each row has one entry per individual of the panel: copies of A2 × {@link DOSAGE_UNITS}, or {@link
   * MISSING_DOSAGE}; in polyploids copies × {@link POLYPLOID_UNITS}, or {@link MISSING_POLYPLOID}.
   */
  values: Uint16Array | Uint32Array;
  /** Copies of A2 in a homozygote; 2 unless told. */
  ploidy?: number;
}

/** Counts for the markers with fractional dosages among the individuals analysed; entries of other markers are 0. */
export interface FractionalCounts {
  /** Copies of A2 in a homozygote. */
  ploidy: number;
  /** 1 for a marker with fractional dosages. */
  isFractional: Uint8Array;
  /** Sum of the dosages. */
  copiesA2: Float64Array;
  /**
   * Sum of 1 − |1 − dosage|, the expected number of heterozygotes at a dosage between two whole numbers. In polyploids
   * of ploidy p the sum of x(p − x)/(p choose 2), the share of pairs of a plant's alleles that differ.
   */
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
  return dosages !== undefined && rows?.some((row) => row >= 0) ? { ...dosages, rows } : undefined;
}

/** Counts the dosages of a block of `count` markers; O(individuals) per marker with fractions. */
export function countDosages(
  { rows, values, ploidy = 2 }: FractionalDosages,
  count: number,
  { panelSize, individuals }: PanelSelection,
): FractionalCounts {
  const n = individuals?.length ?? panelSize;
  const units = ploidy === 2 ? DOSAGE_UNITS : POLYPLOID_UNITS;
  const absent = ploidy === 2 ? MISSING_DOSAGE : MISSING_POLYPLOID;
  const counts: FractionalCounts = {
    ploidy,
    isFractional: new Uint8Array(count),
    copiesA2: new Float64Array(count),
    heterozygotes: new Float64Array(count),
    centredSquares: new Float64Array(count),
  };
  const tally = new Int32Array(PLACES);
  for (let j = 0; j < count; j++) {
    if (rows[j] < 0) continue;
    const start = rows[j] * panelSize;
    if (ploidy > 2 && tallyClasses(values.subarray(start, start + panelSize), individuals, tally)) {
      countOfTally(tally, counts, j);
      continue;
    }
    let called = 0;
    let sum = 0;
    let heterozygotes = 0;
    let lowest = absent;
    let highest = 0;
    for (let i = 0; i < n; i++) {
      const value = values[start + (individuals === undefined ? i : individuals[i])];
      if (value === absent) continue;
      called++;
      // Integers below 2⁵³ throughout: exact.
      sum += value;
      heterozygotes += ploidy === 2 ? units - Math.abs(value - units) : value * (ploidy - value / units);
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    counts.isFractional[j] = 1;
    counts.copiesA2[j] = sum / units;
    counts.heterozygotes[j] = heterozygotes / (units * ((ploidy * (ploidy - 1)) / 2));
    if (lowest >= highest) continue;
    const mean = sum / called;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      const value = values[start + (individuals === undefined ? i : individuals[i])];
      if (value !== absent) squares += (value - mean) * (value - mean);
    }
    counts.centredSquares[j] = squares / (units * units);
  }
  return counts;
}

/**
 * Whole copies of polyploids by the upper six bits of their units, all different up to 8 copies; 63 is missing.
 * Counting and decoding are then a look-up a call.
 */
const PLACES = 64;
const PLACE_SHIFT = 26;
const MISSING_PLACE = MISSING_POLYPLOID >>> PLACE_SHIFT;
const MOST_COPIES = 8;
const UNITS_AT = new Uint32Array(PLACES);
UNITS_AT[MISSING_PLACE] = MISSING_POLYPLOID;
for (let copies = 1; copies <= MOST_COPIES; copies++) {
  UNITS_AT[(copies * POLYPLOID_UNITS) >>> PLACE_SHIFT] = copies * POLYPLOID_UNITS;
}

/** Counts the calls of a marker by the place of their units; false where a dosage has a fraction. */
function tallyClasses(
  row: FractionalDosages['values'],
  individuals: Int32Array | undefined,
  tally: Int32Array,
): boolean {
  tally.fill(0);
  let rest = 0;
  if (individuals === undefined) {
    for (let i = 0; i < row.length; i++) {
      const place = row[i] >>> PLACE_SHIFT;
      tally[place]++;
      rest |= row[i] ^ UNITS_AT[place];
    }
  } else {
    for (let i = 0; i < individuals.length; i++) {
      const units = row[individuals[i]];
      const place = units >>> PLACE_SHIFT;
      tally[place]++;
      rest |= units ^ UNITS_AT[place];
    }
  }
  return rest === 0;
}

/** The counts of a marker of polyploids by its classes. */
function countOfTally(tally: Int32Array, counts: FractionalCounts, j: number): void {
  const { ploidy } = counts;
  let [called, sum, differing, classes] = [0, 0, 0, 0];
  for (let copies = 0; copies <= ploidy; copies++) {
    const count = tally[(copies * POLYPLOID_UNITS) >>> PLACE_SHIFT];
    called += count;
    sum += copies * count;
    differing += copies * (ploidy - copies) * count;
    if (count > 0) classes++;
  }
  counts.isFractional[j] = 1;
  counts.copiesA2[j] = sum;
  counts.heterozygotes[j] = differing / ((ploidy * (ploidy - 1)) / 2);
  if (classes < 2) return;
  let squares = 0;
  for (let copies = 0; copies <= ploidy; copies++) {
    squares += tally[(copies * POLYPLOID_UNITS) >>> PLACE_SHIFT] * (copies - sum / called) ** 2;
  }
  counts.centredSquares[j] = squares;
}

/**
 * Overwrites the columns of the markers with fractional dosages. In diploids the value of a dosage is interpolated
 * linearly between the values of 0, 1 and 2 copies: exact for every coding linear in the dosage, an approximation for
 * dominance deviations. In polyploids of ploidy p it lies on the parabola through the values of 0, p/2 and p copies,
 * which is exact for additive codings and for digenic dominance.
 *
 * @param markers positions within the block, in the order of the columns
 * @param values four numbers for each marker of the block, in the layout of `CallValues`
 * @param out individuals × markers, column-major
 */
export function decodeDosages(
  dosages: FractionalDosages,
  { panelSize, individuals }: PanelSelection,
  markers: Int32Array,
  values: Float64Array,
  out: Matrix['data'],
): void {
  const { rows } = dosages;
  const n = individuals?.length ?? panelSize;
  for (let column = 0; column < markers.length; column++) {
    const j = markers[column];
    if (rows[j] < 0) continue;
    const row = dosages.values.subarray(rows[j] * panelSize, (rows[j] + 1) * panelSize);
    const ofCalls = values.subarray(4 * j, 4 * j + 4);
    const into = out.subarray(column * n, (column + 1) * n);
    if (dosages.ploidy === undefined) decodeDiploids(row, individuals, ofCalls, into);
    else decodePolyploids({ row, ploidy: dosages.ploidy }, individuals, ofCalls, into);
  }
}

function decodeDiploids(
  row: FractionalDosages['values'],
  individuals: Int32Array | undefined,
  [none, missing, one, two]: Float64Array,
  out: Float64Array,
): void {
  const below = (one - none) / DOSAGE_UNITS;
  const above = (two - one) / DOSAGE_UNITS;
  for (let i = 0; i < out.length; i++) {
    const dosage = row[individuals === undefined ? i : individuals[i]];
    if (dosage === MISSING_DOSAGE) out[i] = missing;
    else if (dosage <= DOSAGE_UNITS) out[i] = none + dosage * below;
    else out[i] = one + (dosage - DOSAGE_UNITS) * above;
  }
}

/**
 * Values of the dosages of one marker of polyploids, on the parabola through those of 0, p/2 and p copies.
 *
 * @param row units of the individuals of the panel
 * @param values of no copy, missing, half of the copies and all
 */
export function decodePolyploids(
  { row, ploidy }: { row: FractionalDosages['values']; ploidy: number },
  individuals: Int32Array | undefined,
  [none, missing, half, all]: Float64Array,
  out: Float64Array,
): void {
  const square = (2 * (all - 2 * half + none)) / (ploidy * ploidy * POLYPLOID_UNITS * POLYPLOID_UNITS);
  const slope = (4 * half - 3 * none - all) / (ploidy * POLYPLOID_UNITS);
  for (let place = 0; place < PLACES; place++) {
    VALUE_AT[place] = place === MISSING_PLACE ? missing : none + UNITS_AT[place] * (slope + UNITS_AT[place] * square);
  }
  let rest = 0;
  for (let i = 0; i < out.length; i++) {
    const dosage = row[individuals === undefined ? i : individuals[i]];
    const place = dosage >>> PLACE_SHIFT;
    out[i] = VALUE_AT[place];
    rest |= dosage ^ UNITS_AT[place];
  }
  if (rest === 0) return;
  for (let i = 0; i < out.length; i++) {
    const dosage = row[individuals === undefined ? i : individuals[i]];
    out[i] = dosage === MISSING_POLYPLOID ? missing : none + dosage * (slope + dosage * square);
  }
}

/** The values of the whole dosages of the marker that is being decoded. */
const VALUE_AT = new Float64Array(PLACES);
