import { readLetterCall } from '../call-text.ts';

/** Alleles that a call of letters can name; the first entry stands for a missing call. */
export const LETTER_SYMBOLS: readonly string[] = ['', 'A', 'C', 'G', 'T', 'B', '+', '-'];

/** Place of an allele in {@link LETTER_SYMBOLS}; −1 when it is none. */
export function letterSymbol(allele: string): number {
  return allele === '' ? -1 : LETTER_SYMBOLS.indexOf(allele.toUpperCase());
}

/** Reads calls as pairs of symbols, the first in the low byte and the second in the high one; −1 for no call. */
export interface CallTable {
  /** Names of alleles by symbol; the first entry stands for a missing call. */
  readonly symbols: readonly string[];
  /** The call in the text from `start` to `end`. */
  read(text: Buffer, start: number, end: number): number;
  /** As `read`, for text already cut out. */
  readText(cell: string): number;
  /** The symbol of an allele that a list names; −1 when it is none. */
  symbolOf(allele: string): number;
}

const BAD = 0xffff;
const NOT_SEEN = 0xfffe;
/** Texts of three ASCII letters; 0 = not seen, so that memory is only taken where something is written. */
const TRIPLES = 1 << 21;
/** Characters of the longest text that is looked up but once. */
const LONGEST_KEPT = 10;

/**
 * Reads calls of letters by table: texts of one to three bytes, which is every valid one, are looked up once each. A
 * result holds the first symbol in its low and the second in its high byte. What was looked up serves all files.
 */
export class LetterCallTable implements CallTable {
  static readonly LETTERS: LetterCallTable = new LetterCallTable(false);
  /** Insertions and deletions, + and −, are alleles too. */
  static readonly INDELS: LetterCallTable = new LetterCallTable(true);

  readonly symbols: readonly string[] = LETTER_SYMBOLS;
  readonly symbolOf: (allele: string) => number = letterSymbol;
  readonly #hasIndel: boolean;
  readonly #short = new Uint16Array(1 << 16).fill(NOT_SEEN);
  readonly #triples = new Uint16Array(TRIPLES);
  readonly #long = new Map<string, number>();

  private constructor(hasIndel: boolean) {
    this.#hasIndel = hasIndel;
  }

  read(text: Buffer, start: number, end: number): number {
    const length = end - start;
    let pair: number;
    if (length === 1 || length === 2) {
      const key = length === 1 ? text[start] : text[start] | (text[start + 1] << 8);
      pair = this.#short[key];
      if (pair === NOT_SEEN) pair = this.#short[key] = this.#parse(text.toString('latin1', start, end));
    } else if (length === 3 && (text[start] | text[start + 1] | text[start + 2]) < 128) {
      const key = text[start] | (text[start + 1] << 7) | (text[start + 2] << 14);
      if (this.#triples[key] > 0) return this.#triples[key] - 1;
      pair = this.readText(text.toString('latin1', start, end));
      if (pair >= 0) this.#triples[key] = pair + 1;
    } else {
      pair = this.readText(text.toString('latin1', start, end));
    }
    return pair === BAD ? -1 : pair;
  }

  readText(cell: string): number {
    let pair = this.#long.get(cell);
    if (pair === undefined) {
      pair = this.#parse(cell);
      // Valid texts are few and short; others are not kept, or a spoilt file would fill memory.
      if (pair !== BAD && cell.length <= LONGEST_KEPT) this.#long.set(cell, pair);
    }
    return pair === BAD ? -1 : pair;
  }

  #parse(cell: string): number {
    const call = readLetterCall(cell.trim(), this.#hasIndel);
    if (call === null) return BAD;
    if (call[0] === '') return 0;
    return letterSymbol(call[0]) | (letterSymbol(call[1]) << 8);
  }
}
