import type { PolyploidCalls } from '../../panel/marker-sink.ts';
import { NO_ALLELE } from '../allele-calls.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const PIPE = 0x7c;

/** The calls of a line of a VCF of polyploids, or its dosages. */
export class PolyploidRow implements PolyploidCalls {
  readonly ploidy: number;
  readonly copies: Float64Array;
  readonly unphased: Uint8Array;
  readonly #alleles: Uint8Array;
  #hasAlleles = false;
  /** Calls with both alleles of the line that `readPlain` read last, with and without phase, and half-missing ones. */
  phasedHet = 0;
  unphasedHet = 0;
  halfMissing = 0;

  constructor(sampleCount: number, ploidy: number) {
    this.ploidy = ploidy;
    this.copies = new Float64Array(sampleCount);
    this.unphased = new Uint8Array(sampleCount);
    this.#alleles = new Uint8Array(sampleCount * ploidy);
  }

  get alleles(): Uint8Array | null {
    return this.#hasAlleles ? this.#alleles : null;
  }

  /** Begins a line with all calls missing. */
  start(hasAlleles: boolean): void {
    this.#hasAlleles = hasAlleles;
    this.copies.fill(Number.NaN);
    this.#alleles.fill(NO_ALLELE);
  }

  /** Sets the alleles of a sample; whether they differ. */
  set(sample: number, alleles: Uint8Array, isPhased: boolean): boolean {
    const at = sample * this.ploidy;
    let isHeterozygous = false;
    for (let k = 0; k < this.ploidy; k++) {
      this.#alleles[at + k] = alleles[k];
      if (alleles[k] !== alleles[0]) isHeterozygous = true;
    }
    this.unphased[sample] = isHeterozygous && !isPhased ? 1 : 0;
    return isHeterozygous;
  }

  /** Counts the copies of an alternative allele in the alleles of the line. */
  count(alternative: number): void {
    const { ploidy, copies } = this;
    const alleles = this.#alleles;
    for (let i = 0, at = 0; i < copies.length; i++, at += ploidy) {
      let found = alleles[at] === NO_ALLELE ? Number.NaN : 0;
      for (let k = 0; k < ploidy; k++) if (alleles[at + k] === alternative) found++;
      copies[i] = found;
    }
  }

  /** Length in bytes of the calls of a line of one digit an allele and nothing else, without its end. */
  get textLength(): number {
    return 2 * this.ploidy * this.copies.length - 1;
  }

  /**
   * Reads a line of calls of one digit an allele, `0/0/0/1<tab>…`, the usual one. False, with nothing in the row that
   * means anything, for any other line.
   */
  readPlain(block: Buffer, start: number): boolean {
    const { ploidy, copies, unphased } = this;
    const alleles = this.#alleles;
    const last = start + this.textLength;
    if (block[last] !== LF && !(block[last] === CR && block[last + 1] === LF)) return false;
    this.#hasAlleles = true;
    this.phasedHet = this.unphasedHet = this.halfMissing = 0;
    let at = start;
    for (let i = 0, o = 0; i < copies.length; i++) {
      let found = 0;
      let missing = 0;
      let bars = 0;
      for (let k = 0; k < ploidy; k++, o++, at += 2) {
        const digit = block[at] - ZERO;
        if (digit === 0 || digit === 1) found += digit;
        else if (block[at] === DOT) missing++;
        else return false;
        alleles[o] = digit;
        const sign = block[at + 1];
        if (k + 1 === ploidy) {
          if (sign !== TAB && at + 1 !== last) return false;
        } else if (sign === PIPE) bars++;
        else if (sign !== SLASH) return false;
      }
      if (missing > 0) {
        alleles.fill(NO_ALLELE, o - ploidy, o);
        copies[i] = Number.NaN;
        unphased[i] = 0;
        if (missing < ploidy) this.halfMissing++;
        continue;
      }
      copies[i] = found;
      const isHeterozygous = found > 0 && found < ploidy;
      unphased[i] = isHeterozygous && bars + 1 < ploidy ? 1 : 0;
      if (isHeterozygous) {
        if (unphased[i] === 1) this.unphasedHet++;
        else this.phasedHet++;
      }
    }
    return true;
  }
}
