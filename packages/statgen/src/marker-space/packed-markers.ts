import {
  bytesPerMarker,
  type CallCounts,
  countCalls,
  frequencyA2,
  type MarkerFilter,
  type PanelSelection,
  passesFilter,
  requireFilter,
  selectionSize,
} from '../genotypes/call-counts.ts';
import {
  DOSAGE_UNITS,
  dosagesOfPart,
  type FractionalDosages,
  MISSING_DOSAGE,
} from '../genotypes/fractional-dosages.ts';
import { type MarkerScan, MarkerScanBuilder } from '../genotypes/marker-scan.ts';
import { StatgenError } from '../statgen-error.ts';

/** Consecutive individuals of a selection. */
export interface RowRange {
  first: number;
  count: number;
}

/** Consecutive markers among those kept. */
export interface ColumnRange {
  first: number;
  count: number;
}

/**
 * The markers of a panel that pass the filters, packed at two bits a call: n·m/4 bytes, plus two bytes a dosage of
 * markers with fractions. Everything else is decoded tile by tile.
 */
export interface PackedMarkers {
  /** Individuals in the packed data. */
  readonly panelSize: number;
  /** Markers kept. */
  readonly m: number;
  readonly scan: MarkerScan;
  /** Whether no call is missing and no dosage has fractions among the individuals of the filter. */
  readonly isWhole: boolean;
  /** Twice the frequency of A2 among the individuals of the filter: the dosage of a missing call. */
  readonly meanDosage: Float64Array;
  /** Σ(dosage − mean)² among these individuals. */
  readonly centredSquares: Float64Array;
  /**
   * Raw dosages of a tile, rows.count × columns.count, column-major, in single precision; missing calls are 0. Only
   * where `isWhole`.
   *
   * @param individuals panel positions that `rows` counts; null for all
   */
  decodeWhole(individuals: Int32Array | null, rows: RowRange, columns: ColumnRange, out: Float32Array): void;
  /** (dosage − centre_j)·scale_j of a tile in double precision; a missing call has the mean dosage. */
  decode(individuals: Int32Array | null, rows: RowRange, columns: ColumnRange, coding: Coding, out: Float64Array): void;
}

/** One entry a marker kept. */
export interface Coding {
  centre: Float64Array;
  scale: Float64Array;
}

export interface PackedMarkersBuilder {
  /** Adds the next `count` markers in file order; `packed` is copied. */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** @throws StatgenError `no-markers-left` */
  finish(): PackedMarkers;
}

/** Markers whose bytes are kept together: an array stays far below 2³¹ bytes for a million individuals. */
const MARKERS_PER_BLOCK = 1024;

/**
 * Collects the markers of a panel that pass the filters among some individuals.
 *
 * @throws StatgenError `bad-option`, `too-few-individuals`
 */
export function createPackedMarkers(selection: PanelSelection, filter: MarkerFilter): PackedMarkersBuilder {
  requireFilter(filter);
  const { panelSize } = selection;
  const n = selectionSize(selection);
  if (n < 1) throw new StatgenError('too-few-individuals', 'marker equations need at least one individual', { n });
  const stride = bytesPerMarker(panelSize);
  const scan = new MarkerScanBuilder(n);
  const blocks: Uint8Array[] = [];
  const fractional = new Map<number, Uint16Array>();
  const means: number[] = [];
  const squares: number[] = [];
  let isWhole = true;

  const addPart = (packed: Uint8Array, count: number, dosages: FractionalDosages | undefined): void => {
    const counts = countCalls(packed, count, selection, dosages);
    const kept = Uint8Array.from({ length: count }, (_, j) => (passesFilter(counts, j, filter) ? 1 : 0));
    scan.add(counts, kept);
    for (let j = 0; j < count; j++) {
      if (kept[j] === 0) continue;
      const place = means.length;
      if (place % MARKERS_PER_BLOCK === 0) blocks.push(new Uint8Array(MARKERS_PER_BLOCK * stride));
      const block = blocks[blocks.length - 1];
      block.set(packed.subarray(j * stride, (j + 1) * stride), (place % MARKERS_PER_BLOCK) * stride);
      const row = dosages?.rows[j] ?? -1;
      if (dosages !== undefined && row >= 0) {
        fractional.set(place, dosages.values.slice(row * panelSize, (row + 1) * panelSize));
      }
      isWhole &&= counts.missing[j] === 0 && row < 0;
      means.push(2 * frequencyA2(counts, j));
      squares.push(squaresOf(counts, j));
    }
  };

  return {
    add(packed, count, dosages) {
      for (let first = 0; first < count; first += MARKERS_PER_BLOCK) {
        const part = Math.min(MARKERS_PER_BLOCK, count - first);
        addPart(packed.subarray(first * stride, (first + part) * stride), part, dosagesOfPart(dosages, first, part));
      }
    },
    finish() {
      const found = scan.finish();
      if (found.keptCount === 0) {
        throw new StatgenError(
          'no-markers-left',
          `none of the ${found.readCount} markers passes the limits of allele frequency and call rate`,
          { markers: found.readCount, maf: filter.maf, callRate: filter.callRate },
        );
      }
      const meanDosage = Float64Array.from(means);
      return {
        panelSize,
        m: means.length,
        scan: found,
        isWhole,
        meanDosage,
        centredSquares: Float64Array.from(squares),
        decodeWhole(individuals, rows, columns, out) {
          for (let column = 0; column < columns.count; column++) {
            const j = columns.first + column;
            const block = blocks[Math.floor(j / MARKERS_PER_BLOCK)];
            const start = (j % MARKERS_PER_BLOCK) * stride;
            const to = column * rows.count;
            if (individuals === null) decodeRun(block, start, rows, out, to);
            else decodeChosen(block, start, individuals, rows, out, to);
          }
        },
        decode(individuals, rows, columns, coding, out) {
          const values = new Float64Array(4);
          for (let column = 0; column < columns.count; column++) {
            const j = columns.first + column;
            const centre = coding.centre[j];
            const scale = coding.scale[j];
            const to = column * rows.count;
            const dosages = fractional.get(j);
            if (dosages !== undefined) {
              decodeDosages(dosages, individuals, rows, meanDosage[j], centre, scale, out, to);
              continue;
            }
            values[0] = -centre * scale;
            values[1] = (meanDosage[j] - centre) * scale;
            values[2] = (1 - centre) * scale;
            values[3] = (2 - centre) * scale;
            const block = blocks[Math.floor(j / MARKERS_PER_BLOCK)];
            const start = (j % MARKERS_PER_BLOCK) * stride;
            decodeValues(block, start, individuals, rows, values, out, to);
          }
        },
      };
    },
  };
}

/** Σ(dosage − mean)² of the calls of a marker; a missing call has the mean. */
function squaresOf(counts: CallCounts, j: number): number {
  const { fractional } = counts;
  if (fractional?.isFractional[j] === 1) return fractional.centredSquares[j];
  const called = counts.individuals - counts.missing[j];
  const sum = counts.heterozygous[j] + 2 * counts.homozygousA2[j];
  return counts.heterozygous[j] + 4 * counts.homozygousA2[j] - (sum * sum) / called;
}

/** Copies of A2 of the two-bit codes 00, 01 (missing), 10, 11. */
const COPIES = Float32Array.of(0, 0, 1, 2);
/** The four calls of every byte. */
const COPIES_OF_BYTE = Float32Array.from(
  { length: 1024 },
  (_, place) => COPIES[((place >> 2) >> (2 * (place & 3))) & 3],
);

// The loops below are separate functions, each called with one type of array, so that each is compiled for it.

function decodeRun(block: Uint8Array, start: number, rows: RowRange, out: Float32Array, to: number): void {
  const end = rows.first + rows.count;
  let o = to;
  let i = rows.first;
  for (; i < end && (i & 3) !== 0; i++) out[o++] = COPIES[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
  for (; i + 4 <= end; i += 4) {
    const at = block[start + (i >> 2)] << 2;
    out[o] = COPIES_OF_BYTE[at];
    out[o + 1] = COPIES_OF_BYTE[at + 1];
    out[o + 2] = COPIES_OF_BYTE[at + 2];
    out[o + 3] = COPIES_OF_BYTE[at + 3];
    o += 4;
  }
  for (; i < end; i++) out[o++] = COPIES[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
}

function decodeChosen(
  block: Uint8Array,
  start: number,
  individuals: Int32Array,
  rows: RowRange,
  out: Float32Array,
  to: number,
): void {
  for (let k = 0; k < rows.count; k++) {
    const i = individuals[rows.first + k];
    out[to + k] = COPIES[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
  }
}

function decodeValues(
  block: Uint8Array,
  start: number,
  individuals: Int32Array | null,
  rows: RowRange,
  values: Float64Array,
  out: Float64Array,
  to: number,
): void {
  for (let k = 0; k < rows.count; k++) {
    const i = individuals === null ? rows.first + k : individuals[rows.first + k];
    out[to + k] = values[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
  }
}

function decodeDosages(
  dosages: Uint16Array,
  individuals: Int32Array | null,
  rows: RowRange,
  mean: number,
  centre: number,
  scale: number,
  out: Float64Array,
  to: number,
): void {
  for (let k = 0; k < rows.count; k++) {
    const dosage = dosages[individuals === null ? rows.first + k : individuals[rows.first + k]];
    out[to + k] = ((dosage === MISSING_DOSAGE ? mean : dosage / DOSAGE_UNITS) - centre) * scale;
  }
}
