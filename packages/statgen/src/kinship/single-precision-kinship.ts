import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import {
  bytesPerMarker,
  countCalls,
  frequencyA2,
  type MarkerFilter,
  type PanelSelection,
  passesFilter,
  requireFilter,
  requirePacked,
  selectionSize,
} from '../genotypes/call-counts.ts';
import { StatgenError } from '../statgen-error.ts';
import { positionsOf } from './accumulate-kinship.ts';

export interface SinglePrecisionOptions extends PanelSelection {
  filter: MarkerFilter;
  /** Markers of the whole panel that pass the filter: they set the divisor, which here is applied before adding up. */
  markersKept: number;
}

export interface SinglePrecisionAccumulator {
  /**
   * Adds the next `count` markers in file order.
   *
   * @param packed count × ceil(panelSize / 4) bytes (see `PanelSelection`)
   */
  add(packed: Uint8Array, count: number): void;
  /**
   * n × n, both triangles filled.
   *
   * @throws StatgenError `shape-mismatch` when not `markersKept` markers passed the filter
   */
  finish(): Matrix;
}

/** Markers decoded at a time. */
const MARKERS_PER_BLOCK = 256;
/** Individuals whose columns are added up together: their sums stay near the processor while a block's markers pass by. */
const COLUMNS_PER_PASS = 32;

/**
 * The `standardized` kinship added up in single precision with the roundings of the R package gaston 1.6 (its `GRM` on one
 * thread), bit for bit: frequencies, the three scaled dosages of a marker, their products and the running sums are single
 * numbers, markers are added in file order, square roots are taken in double precision, and √(m − 1) divides the scaled
 * dosages instead of the sum. Only the order of operations was taken from the package.
 *
 * It is further from the definition than `createKinshipAccumulator` (some 1e-5 of an entry with 2,000 markers, 3e-4 with
 * 30,000) and slower (a nanosecond for each marker and pair of individuals); it exists to repeat results that rest on gaston's
 * matrix. Missing calls are 0 after centring; markers that fail the filter, or are monomorphic, are left out.
 *
 * @throws StatgenError `bad-option`, `too-few-individuals`
 */
export function createSinglePrecisionAccumulator(options: SinglePrecisionOptions): SinglePrecisionAccumulator {
  requireFilter(options.filter);
  const n = selectionSize(options);
  if (n < 1) throw new StatgenError('too-few-individuals', 'a kinship matrix needs at least one individual', { n });
  const stride = bytesPerMarker(options.panelSize);
  const sums = new Float32Array(n * n);
  const block = new Float32Array(n * MARKERS_PER_BLOCK);
  let found = 0;

  const addBlock = (packed: Uint8Array, count: number): void => {
    const counts = countCalls(packed, count, options);
    const kept = Uint8Array.from({ length: count }, (_, j) => (passesFilter(counts, j, options.filter) ? 1 : 0));
    const markers = positionsOf(kept);
    const values = new Float32Array(4);
    for (const [row, j] of markers.entries()) {
      scaledDosages(frequencyA2(counts, j), options.markersKept, values);
      for (let i = 0; i < n; i++) {
        const individual = options.individuals?.[i] ?? i;
        block[row * n + i] = values[(packed[j * stride + (individual >> 2)] >> ((individual & 3) << 1)) & 3];
      }
    }
    addOuterProducts(block, markers.length, sums, n);
    found += markers.length;
  };

  return {
    add(packed, count) {
      requirePacked(packed, count, options);
      for (let first = 0; first < count; first += MARKERS_PER_BLOCK) {
        const size = Math.min(MARKERS_PER_BLOCK, count - first);
        addBlock(packed.subarray(first * stride, (first + size) * stride), size);
      }
    },
    finish() {
      if (found !== options.markersKept) {
        throw new StatgenError(
          'shape-mismatch',
          `${options.markersKept} markers were announced and ${found} passed the limits`,
          { announced: options.markersKept, found },
        );
      }
      const kinship = createMatrix(n, n);
      for (let a = 0; a < n; a++) {
        for (let b = a; b < n; b++) {
          kinship.data[b + a * n] = sums[b + a * n];
          kinship.data[a + b * n] = sums[b + a * n];
        }
      }
      return kinship;
    },
  };
}

/** The values of no, one and two copies of A2 at their `.bed` codes 00, 10 and 11; a missing call (01) stays 0. */
function scaledDosages(frequency: number, markersKept: number, into: Float32Array): void {
  const single = Math.fround;
  const p = single(frequency);
  const weight = single(1 / Math.sqrt(single(2 * p * single(1 - p))));
  // One marker alone: m − 1 would divide by zero, and a constant factor changes no test.
  const divisor = Math.sqrt(Math.max(1, markersKept - 1));
  into[0] = single(-2 * p * weight) / divisor;
  into[2] = single(single(1 - 2 * p) * weight) / divisor;
  into[3] = single(single(2 - 2 * p) * weight) / divisor;
}

/** sums[a, b] += x[a]·x[b] for b ≥ a, product and sum rounded, marker after marker. */
function addOuterProducts(block: Float32Array, markers: number, sums: Float32Array, n: number): void {
  for (let first = 0; first < n; first += COLUMNS_PER_PASS) {
    const end = Math.min(n, first + COLUMNS_PER_PASS);
    for (let row = 0; row < markers; row++) {
      const start = row * n;
      for (let a = first; a < end; a++) {
        const own = block[start + a];
        const column = a * n;
        for (let b = a; b < n; b++) sums[column + b] += Math.fround(own * block[start + b]);
      }
    }
  }
}
