// The usual VCF row holds nothing but diploid calls of one digit, `0/0<tab>0/1<tab>…`: four bytes a sample. Copied to an aligned
// buffer, a call is one 32-bit word (little-endian): allele, separator, allele, tab. Exclusive-or with the word of `0/0<tab>`
// leaves 0, 1, 0x10000 or 0x10001 for the four calls of alleles 0 and 1, and any other text sets another bit.

const TAB = 9;
const SLASH = 0x2f;
const PIPE = 0x7c;
const DOT = 0x2e;
const ZERO = 0x30;
const REFERENCE_UNPHASED = (TAB << 24) | (ZERO << 16) | (SLASH << 8) | ZERO;
const REFERENCE_PHASED = (TAB << 24) | (ZERO << 16) | (PIPE << 8) | ZERO;
const NOT_AN_ALLELE_BIT = ~0x00010001;

const MISSING_CODE = 1;
const HET_CODE = 2;

/** Reads rows of GT-only diploid calls straight into packed form, 16 bytes of text to one byte of calls. */
export class FastRow {
  readonly #sampleCount: number;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  /** Heterozygous calls of the last row whose alleles are separated by `|`, and by `/`, when the row mixes both; else −1. */
  mixedPhasedHet = -1;
  /** Whether the first call of the last row is phased. */
  isPhased = false;
  /** Calls of the last row with one allele missing (`0/.`), read as missing. */
  halfMissing = 0;

  constructor(sampleCount: number) {
    this.#sampleCount = sampleCount;
    this.#words = new Int32Array(4 * Math.ceil(sampleCount / 4));
    this.#bytes = new Uint8Array(this.#words.buffer);
  }

  /** Length in bytes of the calls of such a row, without its line end. */
  get textLength(): number {
    return 4 * this.#sampleCount - 1;
  }

  /**
   * Parses the row at `start` into `row`. False, with `row` in an undefined state, when any call is not one of `0 1 .` `/ |` `0 1 .`:
   * the caller then reads the row the general way, which also words the error.
   */
  parse(text: Buffer, start: number, row: Uint8Array): boolean {
    const words = this.#words;
    text.copy(this.#bytes, 0, start, start + this.textLength);
    this.#bytes[this.textLength] = TAB;
    this.isPhased = this.#bytes[1] === PIPE;
    this.mixedPhasedHet = -1;
    this.halfMissing = 0;
    const reference = this.isPhased ? REFERENCE_PHASED : REFERENCE_UNPHASED;
    for (let i = this.#sampleCount; i < words.length; i++) words[i] = reference;
    for (let byte = 0, at = 0; byte < row.length; byte++, at += 4) {
      const w0 = words[at] ^ reference;
      const w1 = words[at + 1] ^ reference;
      const w2 = words[at + 2] ^ reference;
      const w3 = words[at + 3] ^ reference;
      if (((w0 | w1 | w2 | w3) & NOT_AN_ALLELE_BIT) === 0) {
        const alleles = w0 | (w1 << 2) | (w2 << 4) | (w3 << 6);
        const first = alleles & 0x55;
        const second = alleles >>> 16;
        row[byte] = ((first | second) << 1) | (first & second);
      } else {
        const packed = this.#parseFour(4 * at);
        if (packed < 0) return false;
        row[byte] = packed;
      }
    }
    if (this.mixedPhasedHet >= 0) this.#countPhasedHet();
    return true;
  }

  #parseFour(at: number): number {
    const bytes = this.#bytes;
    let packed = 0;
    for (let shift = 0, i = at; shift < 8; shift += 2, i += 4) {
      const first = bytes[i];
      const separator = bytes[i + 1];
      const second = bytes[i + 2];
      if (bytes[i + 3] !== TAB || (separator !== SLASH && separator !== PIPE)) return -1;
      const firstIsDigit = first === ZERO || first === ZERO + 1;
      const secondIsDigit = second === ZERO || second === ZERO + 1;
      if ((!firstIsDigit && first !== DOT) || (!secondIsDigit && second !== DOT)) return -1;
      if ((separator === PIPE) !== this.isPhased) this.mixedPhasedHet = 0;
      if (!firstIsDigit || !secondIsDigit) {
        packed |= MISSING_CODE << shift;
        if (firstIsDigit !== secondIsDigit) this.halfMissing++;
      } else if (first !== second) {
        packed |= HET_CODE << shift;
      } else if (first !== ZERO) {
        packed |= 3 << shift;
      }
    }
    return packed;
  }

  #countPhasedHet(): void {
    const bytes = this.#bytes;
    for (let i = 0; i < 4 * this.#sampleCount; i += 4) {
      const isHet = bytes[i] !== bytes[i + 2] && bytes[i] !== DOT && bytes[i + 2] !== DOT;
      if (isHet && bytes[i + 1] === PIPE) this.mixedPhasedHet++;
    }
  }
}
