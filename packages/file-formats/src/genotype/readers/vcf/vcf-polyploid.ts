import type { PolyploidCalls } from '../../panel/marker-sink.ts';
import { MISSING_NIBBLE } from '../../panel/polyploid-file.ts';
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
  readonly ploidies: Uint8Array | undefined;
  readonly copies: Float64Array;
  readonly unphased: Uint8Array;
  readonly #codes: Uint8Array;
  readonly #alleles: Uint8Array;
  #hasAlleles = false;
  /** Calls with both alleles of the line that `readPlain` read last, with and without phase, and half-missing ones. */
  phasedHet = 0;
  unphasedHet = 0;
  halfMissing = 0;

  /** @param ploidies of each sample, where they differ; `ploidy` is the highest */
  constructor(sampleCount: number, ploidy: number, ploidies?: Uint8Array) {
    this.ploidy = ploidy;
    this.ploidies = ploidies;
    this.copies = new Float64Array(sampleCount);
    this.unphased = new Uint8Array(sampleCount);
    this.#codes = new Uint8Array(sampleCount);
    this.#alleles = new Uint8Array(sampleCount * ploidy);
  }

  ploidyOf(sample: number): number {
    return this.ploidies?.[sample] ?? this.ploidy;
  }

  get alleles(): Uint8Array | null {
    return this.#hasAlleles ? this.#alleles : null;
  }

  get codes(): Uint8Array | null {
    return this.#hasAlleles ? this.#codes : null;
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
    const ploidy = this.ploidyOf(sample);
    for (let k = 0; k < ploidy; k++) {
      this.#alleles[at + k] = alleles[k];
      if (alleles[k] !== alleles[0]) isHeterozygous = true;
    }
    this.unphased[sample] = isHeterozygous && !isPhased ? 1 : 0;
    return isHeterozygous;
  }

  /** Counts the copies of an alternative allele in the alleles of the line. */
  count(alternative: number): void {
    const { ploidy, codes } = this;
    const alleles = this.#alleles;
    if (codes === null) return;
    for (let i = 0, at = 0; i < codes.length; i++, at += ploidy) {
      let found = 0;
      for (let k = 0; k < ploidy; k++) if (alleles[at + k] === alternative) found++;
      codes[i] = alleles[at] === NO_ALLELE ? MISSING_NIBBLE : found === 0 ? 0 : found + 1;
    }
  }

  /** Length in bytes of the calls of a line of one digit an allele and nothing else, without its end. */
  get textLength(): number {
    return 2 * this.ploidy * this.#codes.length - 1;
  }

  /**
   * Reads a line of calls of one digit an allele, `0/0/0/1<tab>…`, the usual one. False, with nothing in the row that
   * means anything, for any other line, as for all where samples differ in ploidy.
   *
   * @param needsAlleles whether the allele of each homolog is wanted, beside the copies
   */
  readPlain(block: Buffer, start: number, needsAlleles: boolean): boolean {
    const { ploidy } = this;
    const codes = this.#codes;
    const n = codes.length;
    const last = start + this.textLength;
    if (this.ploidies !== undefined) return false;
    if (block[last] !== LF && !(block[last] === CR && block[last + 1] === LF)) return false;
    this.#hasAlleles = true;
    this.phasedHet = this.unphasedHet = this.halfMissing = 0;
    const zeros = ZERO * ploidy;
    const width = 2 * ploidy;
    for (let i = 0, at = start; i < n; i++, at += width) {
      let sum = 0;
      let digits = 0;
      let bars = 0;
      for (let k = at; k < at + width - 1; k += 2) {
        const digit = block[k];
        sum += digit;
        digits |= digit;
        const sign = block[k + 1];
        if (sign === PIPE) bars++;
        else if (sign !== SLASH && k < at + width - 2) return false;
      }
      const end = at + width - 1;
      if (block[end] !== TAB && end !== last) return false;
      if ((digits | 1) !== ZERO + 1) {
        // An allele that is missing, or no line for this reader.
        const missing = missingAlleles(block, at, ploidy);
        if (missing === 0) return false;
        codes[i] = MISSING_NIBBLE;
        if (missing < ploidy) this.halfMissing++;
        if (needsAlleles) {
          this.#alleles.fill(NO_ALLELE, i * ploidy, (i + 1) * ploidy);
          this.unphased[i] = 0;
        }
        continue;
      }
      const copies = sum - zeros;
      codes[i] = copies === 0 ? 0 : copies + 1;
      const isUnphased = copies > 0 && copies < ploidy && bars + 1 < ploidy;
      if (isUnphased) this.unphasedHet++;
      else if (copies > 0 && copies < ploidy) this.phasedHet++;
      if (!needsAlleles) continue;
      this.unphased[i] = Number(isUnphased);
      for (let k = 0; k < ploidy; k++) this.#alleles[i * ploidy + k] = block[at + 2 * k] - ZERO;
    }
    return true;
  }
}

/** Missing alleles of a call whose others are 0 or 1; 0 for any other call. */
function missingAlleles(block: Buffer, start: number, ploidy: number): number {
  let missing = 0;
  for (let k = 0; k < ploidy; k++) {
    const digit = block[start + 2 * k];
    if (digit === DOT) missing++;
    else if (digit !== ZERO && digit !== ZERO + 1) return 0;
  }
  return missing;
}
