import { FileFormatError } from '../../problem.ts';
import { unguarded } from '../../text/csv-cell.ts';
import { groupedNumber } from '../../text/grouped-number.ts';

/** Columns of the widest table that is read: ten million markers beside each other. */
export const MAX_COLUMNS = 10_000_000;

/**
 * The columns of a header, without empty ones at its end: a separator at the end of a line is no column. Refuses more
 * than {@link MAX_COLUMNS}. Whoever splits a line of a file tells `split` where to stop: an array of a hundred million
 * cells, which one line of separators makes, ends the process and not only the reading.
 */
export function headerCells(columns: string[], line: number | null): string[] {
  if (columns.length <= MAX_COLUMNS) return withoutTrailing(columns, 1);
  throw new FileFormatError('E-TOO-LARGE', {
    line,
    message: `The header has more than ${groupedNumber(MAX_COLUMNS)} columns.`,
    suggestion: 'Check that this is the genotype file you meant; split it by chromosome when it is.',
  });
}

/** Empty cells beyond the columns of a header that are passed over at the end of a line. */
const MAX_TRAILING_CELLS = 1000;

/**
 * The cells of a line below a header of `width` columns: as many, or fewer where the line is too short. There are more
 * only when one of them is not empty.
 */
export function rowCells(line: string, split: (line: string, limit: number) => string[], width: number): string[] {
  const cells = split(line, width + MAX_TRAILING_CELLS + 1);
  return cells.length > width + MAX_TRAILING_CELLS ? cells : withoutTrailing(cells, width);
}

function withoutTrailing(cells: string[], width: number): string[] {
  let length = cells.length;
  while (length > width && cells[length - 1] === '') length--;
  return length === cells.length ? cells : cells.slice(0, length);
}

/**
 * The first `limit` cells of one line, trimmed and unquoted (RFC 4180 quotes; a genotype cell never holds a line
 * break). A quote that is not closed runs to the end of the line. What keeps spreadsheets from running a cell is
 * gone.
 */
export function splitDelimited(line: string, separator: string, limit: number): string[] {
  if (!line.includes('"')) return line.split(separator, limit).map(cleaned);
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length && cells.length < limit) {
    while (line[at] === ' ') at++;
    if (line[at] !== '"') {
      let end = line.indexOf(separator, at);
      if (end < 0) end = line.length;
      cells.push(cleaned(line.slice(at, end)));
      at = end + 1;
      continue;
    }
    let cell = '';
    let from = at + 1;
    for (;;) {
      const quote = line.indexOf('"', from);
      if (quote < 0) {
        cell += line.slice(from);
        at = line.length;
        break;
      }
      cell += line.slice(from, quote);
      at = quote + 1;
      if (line[at] !== '"') break;
      cell += '"';
      from = at + 1;
    }
    cells.push(cleaned(cell));
    const end = line.indexOf(separator, at);
    at = end < 0 ? line.length + 1 : end + 1;
  }
  return cells;
}

function cleaned(cell: string): string {
  return unguarded(cell.trim());
}
