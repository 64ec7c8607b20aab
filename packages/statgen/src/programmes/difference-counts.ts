import { aligned, KernelMemory } from '../kernel-memory.ts';

/** Interface of haplotype-differences.wat, which documents it; places are byte addresses in its memory. */
interface DifferenceKernels {
  countDifferences(four: number, other: number, count: number, stride: number, out: number): void;
}

/** Rows that are compared at a time. */
const GROUP = 4;
const WORD_BYTES = 4;

/** Words of a row are a multiple of this. */
export const WORDS = 8;

/** Rows of bits: 32-bit words, a multiple of eight of them a row. */
export interface BitRows {
  bits: Uint32Array;
  rows: number;
  /** Words of a row. */
  words: number;
}

/** Memory of the comparisons of a thread, which grows to the largest. */
let room: { memory: KernelMemory<DifferenceKernels>; bytes: Uint8Array } | null = null;

function roomOf(bytes: number): NonNullable<typeof room> {
  if (room !== null && room.bytes.length >= bytes) return room;
  const url = new URL('./kernels/haplotype-differences.wasm', import.meta.url);
  const memory = new KernelMemory<DifferenceKernels>(url, 'differences', aligned(bytes));
  room = { memory, bytes: memory.takeBytes(bytes) };
  return room;
}

/**
 * Counts the bits in which rows of `a` differ from rows of `b`, four rows of `a` at a time: `take` gets the first of
 * the four, and for row s of `b` their counts at 4s … 4s + 3; those behind the last row of `a` mean nothing.
 *
 * @param until how many rows of `b` are wanted for the four that begin at a row of `a`
 */
export function countDifferences(
  a: BitRows,
  b: BitRows,
  until: (first: number) => number,
  take: (first: number, counts: Int32Array) => void,
): void {
  const stride = a.words * WORD_BYTES;
  const ofA = aligned(Math.ceil(a.rows / GROUP) * GROUP * stride);
  const ofB = aligned(b.rows * stride);
  const { memory, bytes } = roomOf(ofA + ofB + aligned(GROUP * b.rows * WORD_BYTES));
  const at = bytes.byteOffset;
  const words = (from: number, count: number) => new Uint32Array(memory.buffer, at + from, count);
  words(0, a.rows * a.words).set(a.bits.subarray(0, a.rows * a.words));
  words(ofA, b.rows * b.words).set(b.bits.subarray(0, b.rows * b.words));
  const counts = new Int32Array(memory.buffer, at + ofA + ofB, GROUP * b.rows);
  for (let first = 0; first < a.rows; first += GROUP) {
    memory.kernels.countDifferences(at + first * stride, at + ofA, until(first), stride, counts.byteOffset);
    take(first, counts);
  }
}
