import { type FileHandle, open, rm } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { COLUMN_NAME, type ResultColumn, sqlText } from './write-result-table.ts';

export type ResultCell = string | number | null;

/** A result table that is written row by row in constant memory. */
export interface ResultTableWriter {
  /**
   * Adds rows; the cells in the order of the columns. In a `double` column everything that is not finite is stored as
   * null.
   */
  add(rows: Iterable<readonly ResultCell[]>): Promise<void>;
  /** Completes the table. */
  finish(): Promise<void>;
  /** Releases all resources; always call it. */
  close(): Promise<void>;
}

const SQL_TYPES: Record<ResultColumn['type'], string> = { text: 'VARCHAR', double: 'DOUBLE', integer: 'INTEGER' };
/** Alleles of large insertions are long. */
const MAX_LINE_BYTES = 10_000_000;
/** Longer buffers would be large objects, which V8 collects late. */
const TEXT_AT_ONCE = 1 << 15;

/**
 * Begins a Parquet file of the same form as that of `writeResultTable`. The rows go through a text file beside it,
 * which DuckDB then reads as a stream; a table inside DuckDB would be held in memory. One thread: the same rows give
 * the same bytes.
 */
export async function createResultTable(
  path: string,
  columns: readonly Pick<ResultColumn, 'name' | 'type'>[],
): Promise<ResultTableWriter> {
  for (const { name } of columns)
    if (!COLUMN_NAME.test(name)) throw new Error(`Not a column name: ${JSON.stringify(name)}`);
  const rowsPath = `${path}.rows`;
  let file: FileHandle | undefined = await open(rowsPath, 'w');
  const closeFile = async (): Promise<void> => {
    await file?.close();
    file = undefined;
  };
  return {
    async add(rows) {
      let text = '';
      for (const row of rows) {
        for (const [place, cell] of row.entries()) text += `${place === 0 ? '' : ','}${cellText(cell)}`;
        text += '\n';
        if (text.length < TEXT_AT_ONCE) continue;
        await file?.appendFile(text);
        text = '';
      }
      await file?.appendFile(text);
    },
    async finish() {
      await closeFile();
      const types = columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(SQL_TYPES[type])}`);
      const options = [
        "header = false, auto_detect = false, delim = ',', quote = '\"', escape = '\"', new_line = '\\n'",
        `nullstr = '', allow_quoted_nulls = false, columns = {${types.join(', ')}}`,
        `max_line_size = ${MAX_LINE_BYTES}, buffer_size = ${2 * MAX_LINE_BYTES}`,
      ];
      const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
      try {
        const connection = await instance.connect();
        await connection.run(
          `copy (select * from read_csv(${sqlText(rowsPath)}, ${options.join(', ')})) to ${sqlText(path)} (format parquet, compression zstd)`,
        );
        connection.closeSync();
      } finally {
        instance.closeSync();
      }
    },
    async close() {
      await closeFile();
      await rm(rowsPath, { force: true });
    },
  };
}

/** Always quotes text, so that empty and missing differ. */
function cellText(cell: ResultCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return `"${cell.replaceAll('"', '""')}"`;
  return Number.isFinite(cell) ? String(cell) : '';
}
