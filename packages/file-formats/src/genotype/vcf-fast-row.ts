import { aligned, type GenotypeKernels, genotypeKernels } from './kernels/genotype-kernels.ts';
import { packedLength } from './packed-calls.ts';

const TAB = 9;
const PADDING = Buffer.from('0/0\t');
/** Calls that the kernel takes at a time. */
const GROUP = 16;

/**
 * Reads rows of GT-only diploid calls, the usual VCF row, straight into packed form. Such a row has four bytes a sample,
 * `0/0<tab>0/1<tab>…`, so that the kernel can take sixteen calls at once.
 */
export class FastRow {
  readonly #kernels: GenotypeKernels;
  readonly #groups: number;
  readonly #text: Uint8Array;
  readonly #packed: Uint8Array;
  readonly #tallies: Int32Array;
  /** Length in bytes of the calls of such a row, without its line end. */
  readonly textLength: number;
  /** Calls of the last row with one allele missing (`0/.`), read as missing. */
  halfMissing = 0;
  /** Heterozygous calls of the last row whose alleles are separated by `|`. */
  phasedHet = 0;

  constructor(sampleCount: number) {
    this.textLength = 4 * sampleCount - 1;
    this.#groups = Math.ceil(sampleCount / GROUP);
    const textBytes = 4 * GROUP * this.#groups;
    const packedBytes = aligned(4 * this.#groups);
    const { memory, kernels } = genotypeKernels(textBytes + packedBytes + 8);
    this.#kernels = kernels;
    this.#text = new Uint8Array(memory, 0, textBytes);
    this.#packed = new Uint8Array(memory, textBytes, packedLength(sampleCount));
    this.#tallies = new Int32Array(memory, textBytes + packedBytes, 2);
    // Calls after the last sample are never written and stay what packs to zero bits.
    for (let at = 0; at < textBytes; at += PADDING.length) this.#text.set(PADDING, at);
  }

  /**
   * Parses the row at `start` into `row`. False, with `row` unchanged, when any call is not one of `0 1 .` `/ |` `0 1 .`:
   * the caller then reads the row the general way, which also words the error.
   */
  parse(text: Buffer, start: number, row: Uint8Array): boolean {
    text.copy(this.#text, 0, start, start + this.textLength);
    this.#text[this.textLength] = TAB;
    const { byteOffset: out } = this.#packed;
    if (this.#kernels.parseCalls(0, this.#groups, out, this.#tallies.byteOffset) === 0) return false;
    row.set(this.#packed);
    this.halfMissing = this.#tallies[0];
    this.phasedHet = this.#tallies[1];
    return true;
  }
}
