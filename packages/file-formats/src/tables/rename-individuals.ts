import type { ByteSource } from '../byte-source.ts';
import { normalizeName } from '../names/normalize-name.ts';
import { ProblemCollector } from '../problem.ts';
import { csvCell } from '../text/csv-cell.ts';
import { parentColumns } from './crossing-table/read-crossing-table.ts';
import { phenotypeHeader } from './phenotype/phenotype-header.ts';
import { openPhenotypeTable } from './phenotype/read-phenotype.ts';
import type { TableRow } from './text/delimited-text.ts';
import { openTable, type Table, type TableColumn } from './text/read-table.ts';
import { type TableMapping, tableLayout } from './text/table-mapping.ts';

type FindColumns = (table: Table, rows: readonly TableRow[]) => readonly TableColumn[];

/** The columns that name individuals. */
const COLUMNS: Record<'PHENOTYPE' | 'CROSSING_TABLE', FindColumns> = {
  PHENOTYPE: (table) => [phenotypeHeader(table, new ProblemCollector(0))?.individual ?? []].flat(),
  CROSSING_TABLE: parentColumns,
};

const CHUNK_LENGTH = 1 << 16;

/**
 * A phenotype file or crossing table as CSV in UTF-8, with other names of its individuals and everything else as it
 * is: its header is the first row, without titles above, decimals have a point, and thousands no mark. Of a mapping
 * only the roles of its columns are needed to read it. Memory is that of the table.
 *
 * @param source a table that its reader accepts: comma, tab or semicolon separated or .xlsx, plain or gzipped
 * @param renames from a name after normalizeName
 * @param mapping how a person said that the source is to be read; the copy is without what it ignores or leaves out
 * @throws FileFormatError when the source is no table
 */
export async function* renameIndividuals(
  source: ByteSource,
  kind: keyof typeof COLUMNS,
  renames: ReadonlyMap<string, string>,
  mapping?: TableMapping,
): AsyncGenerator<Uint8Array> {
  const problems = new ProblemCollector(0);
  const table =
    kind === 'PHENOTYPE'
      ? await openPhenotypeTable(source, problems, { ...(mapping === undefined ? {} : { mapping }) })
      : await openTable(source, { problems, expected: 'a crossing table', layout: tableLayout(kind, mapping) });
  const rows: TableRow[] = [];
  await table.forEachRow((row) => rows.push(row));
  const named = new Set(COLUMNS[kind](table, rows).map(({ index }) => index));
  const cellOf = (cell: string | undefined = '', index: number): string => {
    if (named.has(index)) return csvCell(renames.get(normalizeName(cell)) ?? cell);
    const number = table.numberOf(cell);
    // A negative number is no formula.
    if (Number.isNaN(number)) return csvCell(cell);
    return Number(cell) === number ? cell : String(number);
  };
  const encoder = new TextEncoder();
  let text = table.comments.map((comment) => `# ${comment}\n`).join('');
  for (const { cells } of table.preamble) text += `${cells.map(csvCell).join(',')}\n`;
  text += `${table.columns.map(({ name }) => csvCell(name)).join(',')}\n`;
  for (const { cells } of rows) {
    text += `${table.columns.map(({ index }) => cellOf(cells[index], index)).join(',')}\n`;
    if (text.length < CHUNK_LENGTH) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}
