import { aligned, type GenotypeKernels, type KernelMemory } from '../../kernels/genotype-kernels.ts';

/** Bytes of text that the kernel takes at a time; it may look as far beyond the end of a row. */
const GROUP_BYTES = 64;
const TALLIES_BYTES = 2 * 4;

/**
 * Reads rows of GT-only diploid calls, the usual VCF row, straight into packed form. Such a row has four bytes a
 * sample, `0/0<tab>0/1<tab>…`, so that the kernel can take sixteen calls at once.
 */
export class FastRow {
  readonly #kernels: GenotypeKernels;
  readonly #buffer: ArrayBuffer;
  readonly #sampleCount: number;
  /** For rows that do not lie in the kernel's memory. */
  readonly #text: Uint8Array;
  readonly #out: number;
  readonly #tallies: Int32Array;
  /** Length in bytes of the calls of such a row, without its line end. */
  readonly textLength: number;
  /** Calls of the last row with one allele missing (`0/.`), read as missing. */
  halfMissing = 0;
  /** Heterozygous calls of the last row whose alleles are separated by `|`. */
  phasedHet = 0;

  /**
   * @param row where packed calls go, from `memory`, with room for whole words after it
   * @param memory has {@link memoryFor} bytes left
   */
  constructor(sampleCount: number, row: Uint8Array, memory: KernelMemory) {
    this.#sampleCount = sampleCount;
    this.textLength = 4 * sampleCount - 1;
    this.#kernels = memory.kernels;
    this.#buffer = memory.buffer;
    this.#text = memory.take(this.textLength + GROUP_BYTES);
    this.#out = row.byteOffset;
    this.#tallies = new Int32Array(memory.buffer, memory.take(TALLIES_BYTES).byteOffset, 2);
  }

  /** Bytes that such a reader takes of its memory. */
  static memoryFor(sampleCount: number): number {
    return aligned(4 * sampleCount - 1 + GROUP_BYTES) + aligned(TALLIES_BYTES);
  }

  /**
   * Parses the row at `start` into the row of packed calls, in place where the text lies in the kernel's memory.
   * False, with nothing in the row that means anything, when a call is not one of `0 1 .` `/ |` `0 1 .`: the caller
   * then reads the row the general way, which also words the error.
   */
  parse(text: Buffer, start: number): boolean {
    let address = text.byteOffset + start;
    if (text.buffer !== this.#buffer) {
      text.copy(this.#text, 0, start, start + this.textLength);
      address = this.#text.byteOffset;
    }
    const tallies = this.#tallies;
    if (this.#kernels.parseCalls(address, this.#sampleCount, this.#out, tallies.byteOffset) === 0) return false;
    this.halfMissing = tallies[0];
    this.phasedHet = tallies[1];
    return true;
  }
}
