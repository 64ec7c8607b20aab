import { aligned, KernelMemory } from '../kernel-memory.ts';
import type { PackedGenome } from './packed-genome.ts';

/** Sums of effects for every byte of a haplotype: a value is a few lookups in place of a sum over loci. */
export interface ValueTable {
  /** Bytes that hold a locus with an effect. */
  bytes: Int32Array;
  /** 256 sums for each of them. */
  sums: Float64Array;
}

/** @param effects one a locus, in genome order */
export function createValueTable({ words }: PackedGenome, effects: Float64Array): ValueTable {
  const bytes: number[] = [];
  for (let byte = 0; byte < words * 4; byte++) {
    let any = false;
    for (let j = byte * 8; j < Math.min(effects.length, byte * 8 + 8); j++) any ||= effects[j] !== 0;
    if (any) bytes.push(byte);
  }
  const sums = new Float64Array(bytes.length * 256);
  for (const [k, byte] of bytes.entries()) {
    const at = k * 256;
    for (let bit = 0; bit < 8; bit++) {
      const effect = effects[byte * 8 + bit] ?? 0;
      const half = 1 << bit;
      for (let low = 0; low < half; low++) sums[at + half + low] = sums[at + low] + effect;
    }
  }
  return { bytes: Int32Array.from(bytes), sums };
}

/** Interface of haplotype-values.wat, which documents it; places are byte addresses in its memory. */
interface ValueKernels {
  addValues(
    ...[row, count, stride, values, bytes, end, sums]: [number, number, number, number, number, number, number]
  ): void;
}

/** Bytes whose sums stay in the first cache, and rows that stay in the second, while they pass. */
const TILE = 8;
const ROWS = 256;

/** Memory of the sums of a thread, which grows to the largest. */
let room: { memory: KernelMemory<ValueKernels>; bytes: Uint8Array } | null = null;

function roomOf(bytes: number): NonNullable<typeof room> {
  if (room !== null && room.bytes.length >= bytes) return room;
  const url = new URL('./kernels/haplotype-values.wasm', import.meta.url);
  const memory = new KernelMemory<ValueKernels>(url, 'values', aligned(bytes));
  room = { memory, bytes: memory.takeBytes(bytes) };
  return room;
}

/** Sums of the effects of the alleles 1 of haplotypes, given as rows of bytes. */
export function haplotypeValues(
  { bytes, sums }: ValueTable,
  haplotypes: Uint8Array,
  { rows, stride }: { rows: number; stride: number },
): Float64Array {
  const values = new Float64Array(rows);
  const ofSums = aligned(sums.byteLength);
  const ofBytes = aligned(bytes.byteLength);
  const ofRows = aligned(ROWS * stride);
  const { memory, bytes: all } = roomOf(ofSums + ofBytes + ofRows + 8 * ROWS);
  const sumsAt = all.byteOffset;
  const bytesAt = sumsAt + ofSums;
  const rowsAt = bytesAt + ofBytes;
  const found = new Float64Array(memory.buffer, rowsAt + ofRows, ROWS);
  new Float64Array(memory.buffer, sumsAt, sums.length).set(sums);
  new Int32Array(memory.buffer, bytesAt, bytes.length).set(bytes);
  for (let row = 0; row < rows; row += ROWS) {
    const count = Math.min(ROWS, rows - row);
    all.set(haplotypes.subarray(row * stride, (row + count) * stride), rowsAt - sumsAt);
    found.fill(0);
    for (let first = 0; first < bytes.length; first += TILE) {
      const [from, end] = [bytesAt + 4 * first, bytesAt + 4 * Math.min(bytes.length, first + TILE)];
      // Rows behind the last of a group of four give values that nobody reads.
      const padded = Math.ceil(count / 4) * 4;
      memory.kernels.addValues(rowsAt, padded, stride, found.byteOffset, from, end, sumsAt + 2048 * first);
    }
    values.set(found.subarray(0, count), row);
  }
  return values;
}

/** Sum of the effects at loci where two haplotypes differ. */
export function differenceValue({ bytes, sums }: ValueTable, haplotypes: Uint8Array, a: number, b: number): number {
  let sum = 0;
  for (let k = 0; k < bytes.length; k++) sum += sums[k * 256 + (haplotypes[a + bytes[k]] ^ haplotypes[b + bytes[k]])];
  return sum;
}
