import { createMatrix, type Matrix, multiply } from '../linear-algebra.ts';
import type { PackedMarkers } from '../marker-space/packed-markers.ts';
import { StatgenError } from '../statgen-error.ts';

/** Markers whose effects are drawn from one product with the residuals. */
export const MARKERS_PER_BLOCK = 32;
/** Individuals in 16 bytes of calls. */
export const SLOT = 64;
const SLOT_BYTES = 16;

/**
 * Genotypes as the sampler takes them. Arrays lie in shared memory, so that chains in other threads read the same.
 *
 * Individuals are those with a value, filled up to a multiple of 64, then candidates.
 */
export interface SamplerMarkers {
  /** Individuals with a value. */
  n: number;
  candidates: number;
  m: number;
  /** Of 64 individuals with a value, and of all. */
  slots: { valued: number; all: number };
  /** Counts 0, 1, 2 of A2, m × all slots × 16 bytes, see kernels/packed-products.wat. */
  codes: Uint8Array;
  /** By marker, among the individuals with a value: mean x̄ and Σ(x − x̄)². */
  means: Float64Array;
  squares: Float64Array;
  /** Σ(x_j − x̄_j)(x_k − x̄_k) within blocks of 32 markers, 32 × 32 a block, both triangles. */
  products: Float64Array;
  /** Values that are no whole counts (missing calls at the mean, fractions): `codes` has 0 there. */
  others: {
    /** M + 1: where those of a marker begin. */
    start: Int32Array;
    /** Rows among all slots. */
    row: Int32Array;
    value: Float64Array;
  };
}

/**
 * Codes genotypes for the sampler, and multiplies the markers of each block. Missing calls have the mean of the panel.
 * O(n·m·32).
 *
 * @param valued places of individuals with a value in the panel
 * @param candidates places of others that are predicted
 * @throws StatgenError `too-few-individuals` below 3 values
 */
export function samplerMarkers(markers: PackedMarkers, valued: Int32Array, candidates: Int32Array): SamplerMarkers {
  const { m } = markers;
  const n = valued.length;
  if (n < 3) throw new StatgenError('too-few-individuals', `${n} individuals with a value are too few`, { n });
  const own = Math.ceil(n / SLOT);
  const slots = { valued: own, all: own + Math.ceil(candidates.length / SLOT) };
  const codes = shared(Uint8Array, m * slots.all * SLOT_BYTES);
  const [means, squares] = [shared(Float64Array, m), shared(Float64Array, m)];
  const products = shared(Float64Array, Math.ceil(m / MARKERS_PER_BLOCK) * MARKERS_PER_BLOCK ** 2);
  const start = shared(Int32Array, m + 1);
  const rows: number[] = [];
  const values: number[] = [];
  const individuals = Int32Array.from([...valued, ...candidates]);
  const all = individuals.length;
  const coding = { centre: new Float64Array(m), scale: new Float64Array(m).fill(1) };
  const tile = new Float64Array(all * MARKERS_PER_BLOCK);
  for (let first = 0; first < m; first += MARKERS_PER_BLOCK) {
    const count = Math.min(MARKERS_PER_BLOCK, m - first);
    markers.decode(individuals, { first: 0, count: all }, { first, count }, coding, tile);
    for (let k = 0; k < count; k++) {
      const j = first + k;
      const at = j * slots.all * SLOT_BYTES;
      for (let i = 0; i < all; i++) {
        const value = tile[k * all + i];
        const row = i < n ? i : own * SLOT + i - n;
        if (value === 1 || value === 2) addCode(codes, at, row, value);
        else if (value !== 0) {
          rows.push(row);
          values.push(value);
        }
      }
      start[j + 1] = rows.length;
    }
    const block = first * MARKERS_PER_BLOCK;
    centreBlock(tile, { n, all, first, count }, means);
    addProducts(products.subarray(block, block + MARKERS_PER_BLOCK ** 2), tile, { n, all, count });
    for (let k = 0; k < count; k++) squares[first + k] = products[block + k * (MARKERS_PER_BLOCK + 1)];
  }
  const row = shared(Int32Array, rows.length);
  row.set(rows);
  const value = shared(Float64Array, values.length);
  value.set(values);
  return { n, candidates: candidates.length, m, slots, codes, means, squares, products, others: { start, row, value } };
}

/** Bytes that {@link samplerMarkers} and a chain beside it take, without values that are no whole counts. */
export function samplerBytes({ n, candidates, m }: { n: number; candidates: number; m: number }): {
  shared: number;
  chain: number;
} {
  const codes = m * (Math.ceil(n / SLOT) + Math.ceil(candidates / SLOT)) * SLOT_BYTES;
  return { shared: codes + m * (8 * MARKERS_PER_BLOCK + 20), chain: codes + m * 44 + 24 * (n + candidates) };
}

function shared<Kind>(kind: new (memory: SharedArrayBuffer) => Kind, length: number): Kind {
  const { BYTES_PER_ELEMENT: bytes } = kind as unknown as { BYTES_PER_ELEMENT: number };
  return new kind(new SharedArrayBuffer(length * bytes));
}

/** Lane l of a slot has the individuals l, 8 + l, …; little-endian lanes of 16 bits. */
function addCode(codes: Uint8Array, at: number, row: number, count: number): void {
  const inSlot = row % SLOT;
  const plane = inSlot >> 3;
  codes[at + Math.floor(row / SLOT) * SLOT_BYTES + 2 * (inSlot & 7) + (plane >> 2)] |= count << (2 * (plane & 3));
}

function centreBlock(
  tile: Float64Array,
  { n, all, first, count }: { n: number; all: number; first: number; count: number },
  means: Float64Array,
): void {
  for (let k = 0; k < count; k++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += tile[k * all + i];
    means[first + k] = sum / n;
    for (let i = 0; i < n; i++) tile[k * n + i] = tile[k * all + i] - sum / n;
  }
}

function addProducts(
  into: Float64Array,
  tile: Float64Array,
  { n, count }: { n: number; all: number; count: number },
): void {
  const columns: Matrix = { rows: n, columns: count, data: tile.subarray(0, n * count) };
  const { data } = multiply(columns, columns, { transposeA: true, into: createMatrix(count, count) });
  for (let k = 0; k < count; k++) into.set(data.subarray(k * count, (k + 1) * count), k * MARKERS_PER_BLOCK);
}
