import {
  centredSquares,
  countCalls,
  frequencyA2,
  heterozygotes,
  isAllHeterozygous,
  type MarkerFilter,
  passesFilter,
  ploidyOf,
  requireFilter,
} from '../genotypes/call-counts.ts';
import {
  DOSAGE_UNITS,
  decodePolyploids,
  dosagesOfPart,
  type FractionalDosages,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  POLYPLOID_UNITS,
} from '../genotypes/fractional-dosages.ts';
import { type MarkerScan, MarkerScanBuilder } from '../genotypes/marker-scan.ts';
import { bytesPerMarker, type PanelSelection, selectionSize } from '../genotypes/packed-calls.ts';
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
 * markers with fractions; of polyploids a byte a dosage, four with fractions. Everything else is decoded tile by tile.
 */
export interface PackedMarkers {
  /** Individuals in the packed data. */
  readonly panelSize: number;
  /** Copies of A2 in a homozygote. */
  readonly ploidy: number;
  /** Markers kept. */
  readonly m: number;
  readonly scan: MarkerScan;
  /** Whether no call is missing and no dosage has fractions among the individuals of the filter. */
  readonly isWhole: boolean;
  /** The ploidy times the frequency of A2 among the individuals of the filter: the dosage of a missing call. */
  readonly meanDosage: Float64Array;
  /** Share of heterozygotes among them: what a missing call counts as where heterozygotes are counted. */
  readonly heterozygosity: Float64Array;
  /** Σ(dosage − mean)² among these individuals. */
  readonly centredSquares: Float64Array;
  /**
   * Variances of the errors by whose square roots rows are divided in `decode`, by panel position, NaN where unknown;
   * absent where they are not, see `weighMarkers`.
   */
  readonly errors?: Float64Array;
  /**
   * What is counted in a tile, rows.count × columns.count, column-major, in single precision; missing calls are 0. Only
   * where `isWhole`.
   *
   * @param individuals panel positions that `rows` counts; null for all
   */
  decodeWhole(
    individuals: Int32Array | null,
    rows: RowRange,
    columns: ColumnRange,
    out: Float32Array,
    counted?: Counted,
  ): void;
  /** (count − centre_j)·scale_j of a tile in double precision; a missing call has the mean of its marker. */
  decode(individuals: Int32Array | null, rows: RowRange, columns: ColumnRange, coding: Coding, out: Float64Array): void;
  /** Calls among some individuals of the panel; null for all. */
  callsAmong(individuals: Int32Array | null): CallsAmong;
}

/** What a column of a marker counts: copies of A2 (the default), or 1 for heterozygotes and 0 for others. */
export type Counted = 'copies' | 'heterozygotes';

/** One entry a marker kept. */
export interface Coding {
  centre: Float64Array;
  scale: Float64Array;
  counted?: Counted;
}

export interface CallsAmong {
  /** Frequency of A2 of each marker kept, among the calls of these individuals; of all where none has a call. */
  frequencyA2: Float64Array;
  /** Of each marker kept, 1 where all their calls are heterozygous. */
  isAllHeterozygous: Uint8Array;
  /** Whether one of them, and not all, is heterozygous at any marker kept. */
  hasHeterozygotes: boolean;
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
  const fractional = new Map<number, StoredDosages>();
  let ploidy: number | undefined;
  const means: number[] = [];
  const heterozygosity: number[] = [];
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
        ploidy = dosages.ploidy;
        fractional.set(place, storedDosages(dosages.values.subarray(row * panelSize, (row + 1) * panelSize), ploidy));
      }
      isWhole &&= counts.missing[j] === 0 && row < 0;
      means.push(ploidyOf(counts) * frequencyA2(counts, j));
      heterozygosity.push(heterozygotes(counts, j) / (n - counts.missing[j]));
      squares.push(centredSquares(counts, j));
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
      const shares = Float64Array.from(heterozygosity);
      const m = means.length;
      return {
        panelSize,
        ploidy: ploidy ?? 2,
        m,
        scan: found,
        isWhole,
        meanDosage,
        heterozygosity: shares,
        centredSquares: Float64Array.from(squares),
        decodeWhole(individuals, rows, columns, out, counted = 'copies') {
          const table = TABLES[counted];
          for (let column = 0; column < columns.count; column++) {
            const j = columns.first + column;
            const block = blocks[Math.floor(j / MARKERS_PER_BLOCK)];
            const start = (j % MARKERS_PER_BLOCK) * stride;
            const to = column * rows.count;
            if (individuals === null) decodeRun(block, start, rows, table, out, to);
            else decodeChosen(block, start, individuals, rows, table.ofCall, out, to);
          }
        },
        decode(individuals, rows, columns, { centre, scale, counted = 'copies' }, out) {
          const values = new Float64Array(4);
          for (let column = 0; column < columns.count; column++) {
            const j = columns.first + column;
            const { ofCall } = TABLES[counted];
            const perCopy = counted === 'copies' ? (ploidy ?? 2) / 2 : 1;
            const mean = counted === 'copies' ? meanDosage[j] : shares[j];
            for (let call = 0; call < 4; call++) values[call] = (ofCall[call] * perCopy - centre[j]) * scale[j];
            values[MISSING_CALL] = (mean - centre[j]) * scale[j];
            const to = column * rows.count;
            const dosages = fractional.get(j);
            if (dosages !== undefined && ploidy !== undefined) {
              const end = rows.first + rows.count;
              const row = unitsOf(individuals === null ? dosages.subarray(rows.first, end) : dosages);
              const of = individuals?.subarray(rows.first, end);
              decodePolyploids({ row, ploidy }, of, values, out.subarray(to, to + rows.count));
              continue;
            }
            if (dosages !== undefined) {
              decodeDosages(unitsOf(dosages), individuals, rows, values, out, to);
              continue;
            }
            const block = blocks[Math.floor(j / MARKERS_PER_BLOCK)];
            const start = (j % MARKERS_PER_BLOCK) * stride;
            decodeValues(block, start, individuals, rows, values, out, to);
          }
        },
        callsAmong(individuals) {
          const chosen: PanelSelection = individuals === null ? { panelSize } : { panelSize, individuals };
          const frequencies = new Float64Array(m);
          const allHeterozygous = new Uint8Array(m);
          let blockCounts = countCalls(blocks[0], 0, chosen);
          let hasHeterozygotes = false;
          for (let j = 0; j < m; j++) {
            const place = j % MARKERS_PER_BLOCK;
            const block = blocks[Math.floor(j / MARKERS_PER_BLOCK)];
            if (place === 0) blockCounts = countCalls(block, Math.min(MARKERS_PER_BLOCK, m - j), chosen);
            const values = fractional.get(j);
            const own = block.subarray(place * stride, (place + 1) * stride);
            const [counts, at] =
              values === undefined
                ? [blockCounts, place]
                : [
                    countCalls(own, 1, chosen, {
                      rows: Int32Array.of(0),
                      values: unitsOf(values),
                      ...(ploidy === undefined ? {} : { ploidy }),
                    }),
                    0,
                  ];
            const p = frequencyA2(counts, at);
            frequencies[j] = Number.isNaN(p) ? meanDosage[j] / (ploidy ?? 2) : p;
            allHeterozygous[j] = Number(isAllHeterozygous(counts, at));
            hasHeterozygotes ||= heterozygotes(counts, at) > 0 && allHeterozygous[j] === 0;
          }
          return { frequencyA2: frequencies, isAllHeterozygous: allHeterozygous, hasHeterozygotes };
        },
      };
    },
  };
}

/** Dosages of a marker; whole copies of polyploids take a byte each, 255 where missing. */
type StoredDosages = FractionalDosages['values'] | Uint8Array;
const MISSING_COPIES = 255;

function storedDosages(values: FractionalDosages['values'], ploidy: number | undefined): StoredDosages {
  if (ploidy === undefined) return values.slice();
  const copies = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    if (values[i] === MISSING_POLYPLOID) copies[i] = MISSING_COPIES;
    else if (values[i] % POLYPLOID_UNITS === 0) copies[i] = values[i] / POLYPLOID_UNITS;
    else return values.slice();
  }
  return copies;
}

const UNITS_OF_COPIES = Uint32Array.from({ length: 256 }, (_, copies) =>
  copies === MISSING_COPIES ? MISSING_POLYPLOID : copies * POLYPLOID_UNITS,
);

function unitsOf(stored: StoredDosages): FractionalDosages['values'] {
  if (!(stored instanceof Uint8Array)) return stored;
  const units = new Uint32Array(stored.length);
  for (let i = 0; i < stored.length; i++) units[i] = UNITS_OF_COPIES[stored[i]];
  return units;
}

/** A call that is missing, among the two-bit codes 00, 01, 10, 11. */
const MISSING_CALL = 1;

/** Counts of each two-bit code, and of the four calls of every byte. */
interface CountTable {
  ofCall: Float32Array;
  ofByte: Float32Array;
}

function countTable(...counts: [number, number, number, number]): CountTable {
  const ofCall = Float32Array.from(counts);
  return { ofCall, ofByte: Float32Array.from({ length: 1024 }, (_, at) => ofCall[((at >> 2) >> (2 * (at & 3))) & 3]) };
}

const TABLES: Record<Counted, CountTable> = {
  copies: countTable(0, 0, 1, 2),
  heterozygotes: countTable(0, 0, 1, 0),
};

// The loops below are separate functions, each called with one type of array, so that each is compiled for it.

function decodeRun(
  block: Uint8Array,
  start: number,
  rows: RowRange,
  { ofCall, ofByte }: CountTable,
  out: Float32Array,
  to: number,
): void {
  const end = rows.first + rows.count;
  let o = to;
  let i = rows.first;
  for (; i < end && (i & 3) !== 0; i++) out[o++] = ofCall[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
  for (; i + 4 <= end; i += 4) {
    const at = block[start + (i >> 2)] << 2;
    out[o] = ofByte[at];
    out[o + 1] = ofByte[at + 1];
    out[o + 2] = ofByte[at + 2];
    out[o + 3] = ofByte[at + 3];
    o += 4;
  }
  for (; i < end; i++) out[o++] = ofCall[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
}

function decodeChosen(
  block: Uint8Array,
  start: number,
  individuals: Int32Array,
  rows: RowRange,
  ofCall: Float32Array,
  out: Float32Array,
  to: number,
): void {
  for (let k = 0; k < rows.count; k++) {
    const i = individuals[rows.first + k];
    out[to + k] = ofCall[(block[start + (i >> 2)] >> ((i & 3) << 1)) & 3];
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

/** Between whole dosages the value is on the line between theirs. */
function decodeDosages(
  dosages: FractionalDosages['values'],
  individuals: Int32Array | null,
  rows: RowRange,
  values: Float64Array,
  out: Float64Array,
  to: number,
): void {
  const [none, missing, one, two] = values;
  for (let k = 0; k < rows.count; k++) {
    const units = dosages[individuals === null ? rows.first + k : individuals[rows.first + k]];
    const dosage = units / DOSAGE_UNITS;
    const called = dosage <= 1 ? none + dosage * (one - none) : one + (dosage - 1) * (two - one);
    out[to + k] = units === MISSING_DOSAGE ? missing : called;
  }
}
