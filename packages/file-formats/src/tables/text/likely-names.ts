import { isMissing, parseNumber } from './cell-values.ts';
import type { TableRow } from './delimited-text.ts';
import type { TableColumn } from './table-head.ts';

/** Share of a column's cells. */
const MOSTLY = 0.9;

/** The column that probably names the individuals: the first with words that hardly repeat. */
export function likelyNameColumn(
  columns: readonly TableColumn[],
  sample: readonly TableRow[],
): TableColumn | undefined {
  let best: TableColumn | undefined;
  let most = -1;
  for (const column of columns) {
    const cells = sample.map(({ cells: row }) => row[column.index] ?? '').filter((cell) => !isMissing(cell));
    const words = cells.filter((cell) => Number.isNaN(parseNumber(cell, true)));
    // Numbers may name lines as well, yet words come first; a column of numbers with a few words is a trait.
    const isNamed = words.length > MOSTLY * cells.length;
    const score = (isNamed ? new Set(words).size : 0) + new Set(cells).size / (2 * sample.length + 1);
    if (score > most) {
      most = score;
      best = column;
    }
  }
  return best;
}
