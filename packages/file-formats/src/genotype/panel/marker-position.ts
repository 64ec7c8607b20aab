import type { ProblemCollector } from '../../problem.ts';
import { UNKNOWN_CHROMOSOME } from './marker-columns.ts';

/** Largest position of a `.bim` (31 bits). */
export const MAX_POSITION_BP: number = 2 ** 31 - 1;

/**
 * Reads a position in base pairs; reports E-GT-POS and returns 0 when it is not a positive whole number. On the
 * chromosome of markers without place 0 is none, as it is in the files that are exported here.
 */
export function readPosition(
  text: string,
  place: { line: number; column: string; chromosome: string },
  problems: ProblemCollector,
): number {
  const value = /^\d+(?:\.0+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= MAX_POSITION_BP) return value;
  if (value !== 0 || place.chromosome !== UNKNOWN_CHROMOSOME) reportPosition(text, place, problems);
  return 0;
}

/** Reports E-GT-POS. */
export function reportPosition(
  text: string,
  { line, column }: { line: number | null; column: string },
  problems: ProblemCollector,
): void {
  const isMissing = text === '' || text === '.' || text.toUpperCase() === 'NA';
  problems.error('E-GT-POS', {
    ...{ line, column },
    value: text,
    message: isMissing ? 'The marker has no position.' : `The position "${text}" is not a positive whole number.`,
    suggestion: positionHint(text),
  });
}

function positionHint(text: string): string {
  if (/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(text))
    return 'A spreadsheet has shortened the number: format the column as whole numbers there and save the file again.';
  if (/^\d{1,3}(?:[.,' ]\d{3})+$/.test(text)) return 'Write it without thousands separators.';
  return 'Write the position in base pairs, counted from 1.';
}
