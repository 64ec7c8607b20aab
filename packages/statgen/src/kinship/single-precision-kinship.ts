import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { countCalls, frequencyA2, type MarkerFilter, passesFilter, requireFilter } from '../genotypes/call-counts.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { KernelMemory } from '../kernel-memory.ts';
import { StatgenError } from '../statgen-error.ts';
import { positionsOf } from './accumulate-kinship.ts';

export interface SinglePrecisionOptions extends PanelSelection {
  filter: MarkerFilter;
  /**
   * Markers of the whole panel that pass the filter: they set the divisor, which is applied here before accumulation.
   */
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

/** Interface of kernels/single-precision.wat, which documents it; places are byte addresses in its memory. */
interface Kernel {
  addProducts(own: number, others: number, markers: number, sums: number): void;
}

const KERNEL = new URL('./kernels/single-precision.wasm', import.meta.url);
const FLOAT_BYTES = 4;
/** Markers decoded at a time: the values of eight individuals fill a quarter of the L1 cache. */
const MARKERS_PER_BLOCK = 256;
/** The kernel multiplies tiles of this many individuals. */
const TILE_ROWS = 4;
const TILE_COLUMNS = 8;
const TILE = TILE_ROWS * TILE_COLUMNS;

/**
 * The `standardized` kinship accumulated in single precision with the roundings of the R package gaston 1.6 (its `GRM`
 * on one thread), bit for bit: frequencies, the three scaled dosages of a marker, their products and the running sums
 * are single-precision, markers are added in file order, square roots are taken in double precision, and √(m − 1)
 * divides the scaled dosages instead of the sum. Only the order of operations was taken from the package.
 *
 * It is less accurate than `createKinshipAccumulator` (off by about 1e-5 per entry with 2,000 markers, 3e-4 with
 * 30,000) and slower; it exists to reproduce results based on gaston's matrix. Missing calls are 0 after centring;
 * markers that fail the filter, or are monomorphic, are left out.
 *
 * @throws StatgenError `too-few-individuals`; `bad-option`, also from about 32,000 individuals: a kernel's memory is
 * limited to 4 GB
 */
export function createSinglePrecisionAccumulator(options: SinglePrecisionOptions): SinglePrecisionAccumulator {
  requireFilter(options.filter);
  const n = selectionSize(options);
  if (n < 1) throw new StatgenError('too-few-individuals', 'a kinship matrix needs at least one individual', { n });
  const stride = bytesPerMarker(options.panelSize);
  const groups = Math.ceil(n / TILE_COLUMNS);
  // Values by group of eight individuals, marker, individual; sums by tile, of which those left of the diagonal are
  // unused.
  const valueCount = groups * MARKERS_PER_BLOCK * TILE_COLUMNS;
  const { kernels: kernel, buffer } = new KernelMemory<Kernel>(
    KERNEL,
    'kinship',
    (valueCount + 2 * groups * groups * TILE) * FLOAT_BYTES,
  );
  const values = new Float32Array(buffer, 0, valueCount);
  const sums = new Float32Array(buffer, valueCount * FLOAT_BYTES);
  const dosages = new Float32Array(4);
  let found = 0;

  const addBlock = (packed: Uint8Array, count: number): void => {
    const counts = countCalls(packed, count, options);
    const kept = Uint8Array.from({ length: count }, (_, j) => (passesFilter(counts, j, options.filter) ? 1 : 0));
    const markers = positionsOf(kept);
    if (markers.length === 0) return;
    for (const [row, j] of markers.entries()) {
      scaledDosages(frequencyA2(counts, j), options.markersKept, dosages);
      for (let i = 0; i < n; i++) {
        const individual = options.individuals?.[i] ?? i;
        values[((i >> 3) * MARKERS_PER_BLOCK + row) * TILE_COLUMNS + (i & 7)] =
          dosages[(packed[j * stride + (individual >> 2)] >> ((individual & 3) << 1)) & 3];
      }
    }
    const bytesPerGroup = MARKERS_PER_BLOCK * TILE_COLUMNS * FLOAT_BYTES;
    for (let rows = 0; rows < 2 * groups; rows++) {
      const own = (rows >> 1) * bytesPerGroup + (rows & 1) * TILE_ROWS * FLOAT_BYTES;
      for (let columns = rows >> 1; columns < groups; columns++) {
        const tile = (valueCount + (rows * groups + columns) * TILE) * FLOAT_BYTES;
        kernel.addProducts(own, columns * bytesPerGroup, markers.length, tile);
      }
    }
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
          const tile = (a >> 2) * groups + (b >> 3);
          const sum = sums[tile * TILE + (a & 3) * TILE_COLUMNS + (b & 7)];
          kinship.data[b + a * n] = sum;
          kinship.data[a + b * n] = sum;
        }
      }
      return kinship;
    },
  };
}

/** The values of 0, 1 and 2 copies of A2 at their `.bed` codes 00, 10 and 11; a missing call (01) stays 0. */
function scaledDosages(frequency: number, markersKept: number, into: Float32Array): void {
  const single = Math.fround;
  const p = single(frequency);
  const weight = single(1 / Math.sqrt(single(2 * p * single(1 - p))));
  // With one marker m − 1 would divide by zero; a constant factor changes no test.
  const divisor = Math.sqrt(Math.max(1, markersKept - 1));
  into[0] = single(-2 * p * weight) / divisor;
  into[2] = single(single(1 - 2 * p) * weight) / divisor;
  into[3] = single(single(2 - 2 * p) * weight) / divisor;
}
