import { FileFormatError } from '../../problem.ts';
import { unguarded } from '../../text/csv-cell.ts';
import { groupedNumber } from '../../text/grouped-number.ts';

/** Columns of the widest table that is read: ten million markers beside each other. */
export const MAX_COLUMNS = 10_000_000;

/**
 * Refuses a header of more than {@link MAX_COLUMNS} columns. Whoever splits a line of a file tells `split` where to
 * stop: an array of a hundred million cells, which one line of separators makes, ends the process and not only the
 * reading.
 */
export function assertColumnCount(columns: readonly string[], line: number | null): void {
  if (columns.length <= MAX_COLUMNS) return;
  throw new FileFormatError('E-TOO-LARGE', {
    line,
    message: `The header has more than ${groupedNumber(MAX_COLUMNS)} columns.`,
    suggestion: 'Check that this is the genotype file you meant; split it by chromosome when it is.',
  });
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
