import type { ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { isMissingWord, suspectNumbers } from './missing-codes.ts';
import { isCategorical } from './phenotype-checks.ts';
import { countWords } from './phenotype-groups.ts';
import type { TraitData } from './trait-data.ts';
import type { ToldValues } from './value-codes.ts';

/** More different words are not one way of saying that a value is missing. */
const MAX_RECURRING_WORDS = 3;
const LONGEST_CODE = 20;

/** Values of a trait about which a person is asked. */
export interface AskedCodes {
  words: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
}

/**
 * Asks about values of a trait that may mean "missing", as long as nobody has said what they are (E-PH-MISSING-CODE);
 * returns the words among them, without case, and the numbers.
 */
export function askForCodes(trait: TraitData, measured: ToldValues, problems: ProblemCollector): AskedCodes {
  const words = suspectWords(trait).filter(({ word }) => measured.find(word) === null);
  const isOfNumbers = !isCategorical(trait) && !trait.isOfDates;
  const numbers = isOfNumbers ? suspectNumbers(trait.values.values).filter(({ code }) => !measured.has(code)) : [];
  const found = [
    ...words.map(({ word, count, row }) => ({ code: word, count, row })),
    ...numbers.map((one) => ({ ...one, code: String(one.code) })),
  ];
  for (const { code, count, row } of found) {
    problems.error('E-PH-MISSING-CODE', {
      line: trait.rows.line.at(row),
      column: trait.column,
      value: code,
      message: `${code} occurs ${count === 1 ? 'once' : `${groupedNumber(count)} times`} in ${trait.header.name}, and nothing there is like it: does it mean "missing"?`,
      suggestion: `Choose "Treat ${code} as missing" (--missing-codes ${code}) or "It is a value" (--measured-values ${code}).`,
    });
  }
  return {
    words: new Set(words.map(({ word }) => word.toLowerCase())),
    numbers: new Set(numbers.map(({ code }) => code)),
  };
}

/**
 * Words among numbers or dates: those that say "missing", and others that recur; a cell with a digit is a number
 * written in another way. Among words only those with a sign in them: ND may be a place.
 */
function suspectWords(trait: TraitData): { word: string; count: number; row: number }[] {
  if (trait.words === null) return [];
  const isOfWords = isCategorical(trait);
  const words = countWords(trait.words);
  const known = words.filter(({ word }) => isMissingWord(word) && (!isOfWords || /[.*?#]/.test(word)));
  if (isOfWords) return known;
  const recurring = words
    .filter(
      ({ word, count }) => !isMissingWord(word) && count >= 2 && word.length <= LONGEST_CODE && !/[\d=]/.test(word),
    )
    .slice(0, MAX_RECURRING_WORDS);
  return [...known, ...recurring];
}
