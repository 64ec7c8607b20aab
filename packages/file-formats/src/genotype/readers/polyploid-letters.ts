import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import { isMissingText } from './call-text.ts';
import { type CallTable, LETTER_SYMBOLS, letterSymbol } from './laboratory/letter-calls.ts';

const BAD = -1;

/**
 * Reads the classes of polyploids, a letter an allele: `AAAG`, `AAAB`, `A/A/A/G`. A result has the two alleles in its
 * low byte, in the order of {@link LETTER_SYMBOLS}, three bits each, and the copies of the second one in its high byte.
 * `N` for one of the alleles makes a call missing.
 */
export class PolyploidLetterTable implements CallTable {
  readonly symbols: readonly string[] = LETTER_SYMBOLS;
  readonly symbolOf: (allele: string) => number = letterSymbol;
  readonly #ploidy: number;
  readonly #known = new Map<string, number>();

  constructor(ploidy: number) {
    this.#ploidy = ploidy;
  }

  read(text: Buffer, start: number, end: number): number {
    return this.readText(text.toString('latin1', start, end));
  }

  readText(cell: string): number {
    let call = this.#known.get(cell);
    if (call === undefined) {
      call = this.#parse(cell.trim().toUpperCase());
      // Calls are few; other texts are not kept, or a spoilt file would fill memory.
      if (call !== BAD) this.#known.set(cell, call);
    }
    return call;
  }

  #parse(cell: string): number {
    if (isMissingText(cell) || /^(?:N+|-+)$/.test(cell)) return 0;
    const letters = cell.replaceAll(/[/|]/g, '');
    if (letters.length !== this.#ploidy || !/^[ACGTBN]+$/.test(letters)) return BAD;
    if (letters.includes('N')) return 0;
    const [first = '', second = first, ...others] = [...new Set(letters)].sort(
      (a, b) => letterSymbol(a) - letterSymbol(b),
    );
    if (others.length > 0) return BAD;
    const copies = first === second ? 0 : [...letters].filter((letter) => letter === second).length;
    return letterSymbol(first) | (letterSymbol(second) << 3) | (copies << 8);
  }
}

/** What a cell of letters should be, for messages. */
export const callInWords = (ploidy = 2): string =>
  ploidy > 2 ? `a genotype call of ${ploidy} letters of one or two alleles` : 'a genotype call of one or two letters';

/** Alleles of a marker of polyploids, of which the second is counted. */
export interface CountedAlleles {
  a1: string;
  a2: string;
  /** Calls with an allele beside these two. */
  others: number;
}

/**
 * The copies of the counted allele by calls of {@link PolyploidLetterTable}, two bytes each. The alleles are those that
 * the file lists; else B is counted beside A; else the rarer one of the two most frequent.
 *
 * @param listed symbols, reference first
 */
export function countLetters(
  bytes: Uint8Array,
  ploidy: number,
  listed: readonly number[],
  copies: Float64Array,
): CountedAlleles {
  const counts = new Float64Array(LETTER_SYMBOLS.length);
  forEachCall(bytes, (_, first, second, ofSecond) => {
    counts[first] += ploidy - ofSecond;
    counts[second] += ofSecond;
  });
  const [a, b] = [letterSymbol('A'), letterSymbol('B')];
  const seen = [...counts.keys()].filter((symbol) => counts[symbol] > 0).sort((i, j) => counts[j] - counts[i] || i - j);
  const isArray = seen.includes(b) && seen.every((symbol) => symbol === a || symbol === b);
  const [reference = 0, counted = 0] =
    listed.length > 1 ? listed : isArray ? [a, b] : [...new Set([...listed, ...seen])];
  copies.fill(Number.NaN);
  let others = 0;
  forEachCall(bytes, (i, first, second, ofSecond) => {
    const isKnown = [first, second].every((symbol) => symbol === reference || symbol === counted);
    if (!isKnown) others++;
    else copies[i] = (first === counted ? ploidy - ofSecond : 0) + (second === counted ? ofSecond : 0);
  });
  const nameOf = (symbol: number): string => LETTER_SYMBOLS[symbol] || UNKNOWN_ALLELE;
  return { a1: nameOf(reference), a2: nameOf(counted), others };
}

function forEachCall(
  bytes: Uint8Array,
  take: (sample: number, first: number, second: number, ofSecond: number) => void,
): void {
  for (let i = 0; 2 * i < bytes.length; i++) {
    const pair = bytes[2 * i];
    if (pair !== 0) take(i, pair & 7, pair >> 3, bytes[2 * i + 1]);
  }
}
