import { DOUBLE, DuckDBDataChunk, DuckDBInstance, type DuckDBType, INTEGER, VARCHAR } from '@duckdb/node-api';

/** A column of a result table. In a `double` column everything that is not finite is stored as null. */
export interface ResultColumn {
  /** A fixed word, never user text: it becomes part of the SQL. */
  name: string;
  type: 'text' | 'double' | 'integer';
  values: ArrayLike<string | number | null>;
}

const TYPES: Record<ResultColumn['type'], DuckDBType> = { text: VARCHAR, double: DOUBLE, integer: INTEGER };
/** The row count of a DuckDB vector. */
const CHUNK_ROWS = 2048;
export const COLUMN_NAME: RegExp = /^[a-z][a-z0-9_]*$/i;

/**
 * Writes columns of equal length as a Parquet file, rows in the order given. One thread and no timestamp in the file,
 * so the same columns give the same bytes.
 */
export async function writeResultTable(path: string, columns: readonly ResultColumn[]): Promise<void> {
  for (const { name } of columns)
    if (!COLUMN_NAME.test(name)) throw new Error(`Not a column name: ${JSON.stringify(name)}`);
  const rows = columns[0]?.values.length ?? 0;
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  try {
    const connection = await instance.connect();
    const types = columns.map(({ type }) => TYPES[type]);
    await connection.run(
      `create table result (${columns.map(({ name }, place) => `"${name}" ${types[place]}`).join(', ')})`,
    );
    const appender = await connection.createAppender('result');
    for (let first = 0; first < rows; first += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, rows - first);
      const chunk = DuckDBDataChunk.create(types, count);
      for (const [place, column] of columns.entries()) chunk.setColumnValues(place, slice(column, first, count));
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    await connection.run(`copy result to ${sqlText(path)} (format parquet, compression zstd)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

function slice({ type, values }: ResultColumn, first: number, count: number): (string | number | null)[] {
  const part: (string | number | null)[] = [];
  for (let row = first; row < first + count; row++) {
    const value = values[row] ?? null;
    part.push(type === 'double' && typeof value === 'number' && !Number.isFinite(value) ? null : value);
  }
  return part;
}

/** Text as an SQL literal, where a parameter is not possible. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
