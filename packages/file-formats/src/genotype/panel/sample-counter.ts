import { aligned, type GenotypeKernels, KernelMemory } from '../kernels/genotype-kernels.ts';
import { packedLength } from './packed-calls.ts';

/** Counts of one marker's calls. */
export interface CallCounts {
  missing: number;
  het: number;
  homA2: number;
}

/** Samples in a vector of packed calls. */
const SAMPLES_PER_VECTOR = 64;
const VECTOR_BYTES = 16;
/** Three counts. */
const TALLIES_BYTES = 3 * 4;
/** A two-bit lane holds three additions, a four-bit lane five times that, a byte seventeen times that. */
const ADDITIONS_PER_PAIR = 3;
const SPILLS_PER_NIBBLE = 5;
const SPILLS_PER_BYTE = 17;
/**
 * Of the four samples in a byte of packed calls, those whose counts lie in the first, second, third and fourth vector
 * of bytes.
 */
const SAMPLE_OF_VECTOR = [0, 2, 1, 3];

/**
 * Counts missing and heterozygous calls of every sample and of every marker in one pass over packed rows. Sample
 * counts are kept in lanes of two, four and eight bits beside the packed layout and added to plain integers every
 * 255th row, so a row costs a few operations for 64 samples. (Lane counters: H. Warren, Hacker's Delight, 2nd ed.,
 * chapter 5.)
 */
export class SampleCounter {
  readonly sampleMissing: Int32Array;
  readonly sampleHet: Int32Array;
  readonly counts: CallCounts = { missing: 0, het: 0, homA2: 0 };
  /**
   * Packed calls of the marker about to be added, to be filled by the caller; unused bits of the last byte must be
   * zero.
   */
  readonly row: Uint8Array;
  readonly #kernels: GenotypeKernels;
  readonly #vectors: number;
  readonly #tallies: Int32Array;
  readonly #missing: Lanes;
  readonly #het: Lanes;
  #rowsInPairs = 0;
  #spillsInNibbles = 0;
  #spillsInBytes = 0;

  /** @param memory has {@link memoryFor} bytes left */
  constructor(sampleCount: number, memory: KernelMemory = new KernelMemory(SampleCounter.memoryFor(sampleCount))) {
    this.sampleMissing = new Int32Array(sampleCount);
    this.sampleHet = new Int32Array(sampleCount);
    this.#vectors = vectorsOf(sampleCount);
    this.#kernels = memory.kernels;
    const tallies = memory.take(TALLIES_BYTES);
    this.#tallies = new Int32Array(memory.buffer, tallies.byteOffset, 3);
    const rowBytes = VECTOR_BYTES * this.#vectors;
    this.row = memory.take(rowBytes).subarray(0, packedLength(sampleCount));
    this.#missing = lanesOf(memory, rowBytes);
    this.#het = lanesOf(memory, rowBytes);
  }

  /** Bytes that a counter takes of its memory. */
  static memoryFor(sampleCount: number): number {
    return aligned(TALLIES_BYTES) + 15 * VECTOR_BYTES * vectorsOf(sampleCount);
  }

  /** Takes the marker whose calls stand in `row`. Its counts stand in `counts` until the next call. */
  add(): void {
    const tallies = this.#tallies;
    const { byteOffset: row } = this.row;
    this.#kernels.countRow(row, this.#vectors, this.#missing.pairs, this.#het.pairs, tallies.byteOffset);
    this.counts.missing = tallies[0];
    this.counts.het = tallies[1];
    this.counts.homA2 = tallies[2];
    if (++this.#rowsInPairs === ADDITIONS_PER_PAIR) this.#spillPairs();
  }

  /** Brings `sampleMissing` and `sampleHet` up to date. */
  finish(): void {
    this.#spillPairs();
    this.#spillNibbles();
    this.#spillBytes();
  }

  #spillPairs(): void {
    this.#rowsInPairs = 0;
    for (const { pairs, nibbles } of [this.#missing, this.#het]) {
      this.#kernels.widenLanes(pairs, this.#vectors, nibbles, 2);
    }
    if (++this.#spillsInNibbles === SPILLS_PER_NIBBLE) this.#spillNibbles();
  }

  #spillNibbles(): void {
    this.#spillsInNibbles = 0;
    for (const { nibbles, bytes } of [this.#missing, this.#het]) {
      this.#kernels.widenLanes(nibbles, 2 * this.#vectors, bytes.byteOffset, 4);
    }
    if (++this.#spillsInBytes === SPILLS_PER_BYTE) this.#spillBytes();
  }

  #spillBytes(): void {
    this.#spillsInBytes = 0;
    addBytes(this.#missing.bytes, this.sampleMissing);
    addBytes(this.#het.bytes, this.sampleHet);
  }
}

/** Counts of all samples: addresses of the narrower lanes, the widest as bytes. */
interface Lanes {
  pairs: number;
  nibbles: number;
  bytes: Uint8Array;
}

function lanesOf(memory: KernelMemory, rowBytes: number): Lanes {
  const pairs = memory.take(rowBytes).byteOffset;
  const nibbles = memory.take(2 * rowBytes).byteOffset;
  return { pairs, nibbles, bytes: memory.take(4 * rowBytes) };
}

function vectorsOf(sampleCount: number): number {
  return Math.ceil(sampleCount / SAMPLES_PER_VECTOR);
}

function addBytes(bytes: Uint8Array, totals: Int32Array): void {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0) continue;
    const vector = at >> 4;
    const sample = SAMPLES_PER_VECTOR * (vector >> 2) + 4 * (at & 15) + SAMPLE_OF_VECTOR[vector & 3];
    totals[sample] = totals[sample] + bytes[at];
  }
  bytes.fill(0);
}
