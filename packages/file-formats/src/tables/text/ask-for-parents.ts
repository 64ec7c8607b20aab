import type { ProblemCollector } from '../../problem.ts';
import { isMissing, parseNumber } from './cell-values.ts';
import { namesParents, type ParentSide, parentInWords } from './parent-words.ts';
import type { Table, TableColumn } from './read-table.ts';

const SIDES = ['female', 'male'] as const;
const CODES = { female: 'E-COL-FEMALE', male: 'E-COL-MALE' } as const;
/** A column of numbers with such a header counts something of the parent, or is a number in another program. */
const TEXT_SHARE = 0.5;

/**
 * Asks about columns that speak of a parent in words that no spelling has, as long as the table lacks this parent:
 * E-COL-FEMALE, E-COL-MALE. A lost parent is worse than a question. `has` tells which parents are known, `open` are the
 * columns without a role. Without any known parent both have to be spoken of: a list of lines may tell of male
 * sterility. A column to which a person gave a role, also that of no parent, is not asked about.
 */
export function askForParents(
  table: Pick<Table, 'headerLine' | 'sample'>,
  has: Record<ParentSide, boolean>,
  open: readonly TableColumn[],
  problems: ProblemCollector,
): void {
  const lacking = SIDES.filter((side) => !has[side]);
  const candidates = open.filter((column) => column.key !== '' && !isTold(column) && mayHoldNames(table, column));
  const found: { side: ParentSide; column: TableColumn }[] = [];
  for (const side of lacking) {
    const column = candidates.find(({ name }) => parentInWords(name) === side);
    if (column !== undefined) found.push({ side, column });
  }
  for (const column of candidates) {
    const side = lacking.find((one) => !found.some((other) => other.side === one));
    if (side !== undefined && parentInWords(column.name) === 'either') found.push({ side, column });
  }
  if (lacking.length === 2 && found.length < 2) return;
  for (const { side, column } of found) {
    problems.error(CODES[side], {
      line: table.headerLine,
      column: column.label,
      value: column.name,
      message: `"${column.name}" seems to hold the ${side} parent, and no other column does. Its header is not one that is known.`,
      suggestion: `Say whether it is the ${side} parent, or call it "${side}".`,
    });
  }
}

/** Keys that a person's choice of "no parent" gives, see `keyOfRole`. */
const isTold = ({ key }: TableColumn): boolean => key.charCodeAt(0) < 32;

function mayHoldNames({ sample }: Pick<Table, 'sample'>, { index, name }: TableColumn): boolean {
  const cells = sample.map(({ cells: row }) => row[index] ?? '').filter((cell) => !isMissing(cell));
  const words = cells.filter((cell) => Number.isNaN(parseNumber(cell, true)));
  return cells.length > 0 && (namesParents(name) || words.length > TEXT_SHARE * cells.length);
}
