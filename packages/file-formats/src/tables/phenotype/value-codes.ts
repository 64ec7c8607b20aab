import type { ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { isMissing, parseNumber } from '../text/cell-values.ts';

/** Values that a person has spoken of: texts without case, numbers as numbers. */
export interface ToldValues {
  /** The one that a cell is, as it was told; null when it is none. */
  find(cell: string): string | null;
  has(value: number): boolean;
}

export function toldValues(values: readonly string[]): ToldValues {
  const texts = new Map(values.map((value) => [value.trim().toLowerCase(), value]));
  const numbers = new Map<number, string>();
  for (const value of values) {
    const number = parseNumber(value.trim(), true);
    if (!Number.isNaN(number)) numbers.set(number, value);
  }
  return {
    find: (cell) =>
      values.length === 0 ? null : (texts.get(cell.toLowerCase()) ?? numbers.get(parseNumber(cell, true)) ?? null),
    has: (value) => numbers.has(value),
  };
}

/** Tells missing cells, and counts those that are missing because a person said so. */
export interface MissingTest {
  isMissing(cell: string, trait: string): boolean;
  /** I-PH-MISSING-CODE for each code that occurred. */
  report(problems: ProblemCollector): void;
}

const SHOWN_TRAITS = 10;

export function missingTest(codes: readonly string[]): MissingTest {
  const told = toldValues(codes);
  const counts = new Map<string, Map<string, number>>();
  return {
    isMissing(cell, trait) {
      if (isMissing(cell)) return true;
      const code = told.find(cell);
      if (code === null) return false;
      let ofCode = counts.get(code);
      if (ofCode === undefined) {
        ofCode = new Map();
        counts.set(code, ofCode);
      }
      ofCode.set(trait, (ofCode.get(trait) ?? 0) + 1);
      return true;
    },
    report(problems) {
      for (const [code, ofCode] of counts) {
        const total = [...ofCode.values()].reduce((sum, count) => sum + count, 0);
        const traits = [...ofCode]
          .slice(0, SHOWN_TRAITS)
          .map(([trait, count]) => `${groupedNumber(count)} in ${trait}`);
        const rest = ofCode.size > SHOWN_TRAITS ? ` and ${ofCode.size - SHOWN_TRAITS} more traits` : '';
        problems.info('I-PH-MISSING-CODE', {
          value: code,
          message: `${code} was read as missing in ${groupedNumber(total)} ${total === 1 ? 'cell' : 'cells'}, as was chosen: ${traits.join(', ')}${rest}.`,
          suggestion: 'Nothing to do if it means "missing" in all of them.',
        });
      }
    },
  };
}
