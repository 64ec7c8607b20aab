import { compareChromosomes } from '../panel/chromosome-order.ts';

/** The chromosomes of one subgenome of an allopolyploid, in natural order. */
export interface Subgenome {
  letter: string;
  chromosomes: string[];
}

/** A number and a letter, in either order: 1A of wheat, A01 of rapeseed, chrA01. */
const NUMBER_FIRST = /^0*(\d{1,2})([A-HR])$/i;
const LETTER_FIRST = /^([A-HR])0*(\d{1,2})$/i;
const PREFIX = /^(?:chromosome|chrom|chr)[ _.-]?/i;
/** Numbers that two subgenomes have in common, so that 2A and 2B of a great ape are none. */
const FEWEST_SHARED = 3;

/**
 * The subgenomes that names of chromosomes form: at least two letters with the same numbers (1A 1B 1D … of wheat, A01
 * C01 … of rapeseed). Letters of arms (L, S, P, Q) and of sex chromosomes are none.
 *
 * @returns empty where there are no subgenomes
 */
export function subgenomesOf(chromosomes: readonly string[]): Subgenome[] {
  for (const pattern of [NUMBER_FIRST, LETTER_FIRST]) {
    const found = new Map<string, Map<number, string>>();
    for (const name of chromosomes) {
      const [, first = '', second = ''] = pattern.exec(name.replace(PREFIX, '')) ?? [];
      if (first === '') continue;
      const [letter, number] = pattern === NUMBER_FIRST ? [second, first] : [first, second];
      const key = letter.toUpperCase();
      const own = found.get(key) ?? new Map<number, string>();
      found.set(key, own.set(Number(number), name));
    }
    const shared = (letter: string): boolean =>
      [...found].some(
        ([other, numbers]) =>
          other !== letter &&
          [...(found.get(letter)?.keys() ?? [])].filter((number) => numbers.has(number)).length >= FEWEST_SHARED,
      );
    const letters = [...found.keys()].filter(shared).toSorted();
    if (letters.length > 0)
      return letters.map((letter) => ({
        letter,
        chromosomes: [...(found.get(letter)?.values() ?? [])].toSorted(compareChromosomes),
      }));
  }
  return [];
}
