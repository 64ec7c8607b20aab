import type { ByteSource } from '../byte-source.ts';
import { normalizeName } from '../names/normalize-name.ts';
import { ProblemCollector } from '../problem.ts';
import { csvCell } from '../text/csv-cell.ts';
import { parentColumns } from './crossing-table/read-crossing-table.ts';
import { isTasselPreamble, phenotypeHeader } from './phenotype/phenotype-header.ts';
import { hasDecimalComma, parseNumber } from './text/cell-values.ts';
import type { TableRow } from './text/delimited-text.ts';
import { createLeaveOut } from './text/leave-out.ts';
import { openTable, type Table, type TableColumn } from './text/read-table.ts';
import type { LeftOut } from './text/table-mapping.ts';

type FindColumns = (table: Table, rows: readonly TableRow[]) => readonly TableColumn[];

/** The columns that name individuals. */
const COLUMNS: Record<'PHENOTYPE' | 'CROSSING_TABLE', FindColumns> = {
  PHENOTYPE: (table) => [phenotypeHeader(table, new ProblemCollector(0))?.individual ?? []].flat(),
  CROSSING_TABLE: parentColumns,
};

const CHUNK_LENGTH = 1 << 16;

/**
 * A phenotype file or crossing table as CSV in UTF-8, with other names of its individuals and everything else as it
 * is; a decimal comma becomes a point. Memory is that of the table.
 *
 * @param source a table that its reader accepts: comma, tab or semicolon separated or .xlsx, plain or gzipped
 * @param renames from a name after normalizeName
 * @param leftOut rows and cells that were left out of the table, which the copy does not have
 * @throws FileFormatError when the source is no table
 */
export async function* renameIndividuals(
  source: ByteSource,
  kind: keyof typeof COLUMNS,
  renames: ReadonlyMap<string, string>,
  leftOut?: LeftOut,
): AsyncGenerator<Uint8Array> {
  const table = await openTable(source, {
    problems: new ProblemCollector(0),
    expected: 'a table',
    ...(kind === 'PHENOTYPE' ? { isPreamble: isTasselPreamble, allowRowNames: true } : {}),
  });
  const rows: TableRow[] = [];
  const leaveOut = createLeaveOut(leftOut);
  await table.forEachRow((row) => {
    if (leaveOut.keeps(row)) rows.push(row);
  });
  const named = new Set(COLUMNS[kind](table, rows).map(({ index }) => index));
  const cellOf = (cell: string, index: number): string => {
    if (named.has(index)) return csvCell(renames.get(normalizeName(cell)) ?? cell);
    const value = table.decimalComma && hasDecimalComma(cell) ? cell.replace(',', '.') : cell;
    // A negative number is no formula.
    return Number.isNaN(parseNumber(value, false)) || value.includes(',') ? csvCell(value) : value;
  };
  const encoder = new TextEncoder();
  let text = table.comments.map((comment) => `# ${comment}\n`).join('');
  for (const { cells } of table.preamble) text += `${cells.map(csvCell).join(',')}\n`;
  text += `${table.columns.map(({ name }) => csvCell(name)).join(',')}\n`;
  for (const { cells } of rows) {
    text += `${cells.map(cellOf).join(',')}\n`;
    if (text.length < CHUNK_LENGTH) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}
