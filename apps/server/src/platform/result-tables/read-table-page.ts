import type { Page } from '@heterosis/contracts/common';
import { decodePlaceCursor, toPage } from '../http/pagination.ts';
import type { ResultTables } from './result-tables.ts';

export interface TablePageQuery {
  /** Columns to return; fixed words, never user text. */
  columns: readonly string[];
  /** A unique integer column, computed when the table was written: every page costs the same. */
  order: string;
  isDescending?: boolean;
  /** A query over the table in its place, in parentheses: for columns that are computed when they are read. */
  source?: ((table: string) => string) | undefined;
  /** Rows whose text column contains this, ignoring case. */
  search?: { column: string; text: string | undefined } | undefined;
  limit: number;
  cursor: string | undefined;
}

/** One page of a result table. */
export async function readTablePage<Row extends Record<string, unknown>>(
  tables: ResultTables,
  key: string,
  { columns, order, isDescending = false, source = (table) => table, search, limit, cursor }: TablePageQuery,
): Promise<Page<Row>> {
  const after = decodePlaceCursor(cursor);
  const values: (string | number)[] = [];
  const conditions: string[] = [];
  if (after !== undefined) {
    values.push(after);
    conditions.push(`"${order}" ${isDescending ? '<' : '>'} $${values.length}`);
  }
  if (search?.text !== undefined && search.text !== '') {
    values.push(search.text);
    conditions.push(`contains(lower("${search.column}"), lower($${values.length}))`);
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const names = [...new Set([...columns, order])].map((name) => `"${name}"`).join(', ');
  const direction = isDescending ? 'desc' : 'asc';
  const rows = await tables.query<Row>(
    key,
    (table) => `select ${names} from ${source(table)} ${where} order by "${order}" ${direction} limit ${limit + 1}`,
    values,
  );
  return toPage(rows, limit, (row) => [row[order] as number]);
}

/** The rows whose text column has one of these values, in no order. `columns` are fixed words, never user text. */
export async function readRowsOf<Row extends Record<string, unknown>>(
  tables: ResultTables,
  key: string,
  { columns, column, values }: { columns: readonly string[]; column: string; values: readonly string[] },
): Promise<Row[]> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const places = values.map((_, place) => `$${place + 1}`).join(', ');
  return await tables.query<Row>(
    key,
    (table) => `select ${names} from ${table} where "${column}" in (${places})`,
    values,
  );
}

/** A value of a column that may be absent. */
export const numberOrNull = (value: string | number | null | undefined): number | null =>
  typeof value === 'number' ? value : null;

/** Whether a table has a column: those of older versions lack some. */
export async function hasColumn(tables: ResultTables, key: string, column: string): Promise<boolean> {
  const [{ found } = { found: 0 }] = await tables.query<{ found: number }>(
    key,
    (table) => `select count(*) as found from (describe select * from ${table}) where column_name = $1`,
    [column],
  );
  return found > 0;
}

/** Rank of each value, 0-based, by `compare`; equal values keep their order. For the order columns of a table. */
export function ranks(count: number, compare: (a: number, b: number) => number): Int32Array {
  const order = Array.from({ length: count }, (_, row) => row).sort((a, b) => compare(a, b) || a - b);
  const rank = new Int32Array(count);
  for (const [place, row] of order.entries()) rank[row] = place;
  return rank;
}
