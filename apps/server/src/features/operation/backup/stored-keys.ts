import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** Columns whose values are storage keys. Rows of every feature name their objects in columns of these names. */
const KEY_COLUMNS = ['storage_key', 'result_keys', 'meta'] as const;

/** Where a row names an object of the storage. */
export interface StoredKey {
  key: string;
  table: string;
}

/** Bytes of an unfinished upload may never come. */
const UNFINISHED = 'uploads';

/** Every storage key that a row refers to and that must be there, over all tenants. */
export async function listStoredKeys(db: Queryable): Promise<StoredKey[]> {
  const { rows: columns } = await sql<{ table: string; column: (typeof KEY_COLUMNS)[number] }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and table_name <> ${UNFINISHED} and column_name = any(${[...KEY_COLUMNS]}::text[])
    order by 1, 2
  `.execute(db);
  const keys: StoredKey[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql<{ key: string }>`
      select named.key from ${sql.table(table)} t, ${KEYS_OF[column](column)} named where named.key is not null
    `.execute(db);
    for (const { key } of rows) keys.push({ key, table });
  }
  return keys;
}

/** Strings within a column: results may be nested by trait. */
const strings = (column: string, path: string) =>
  sql`lateral (select value #>> '{}' as key from jsonb_path_query(t.${sql.ref(column)}, ${sql.lit(path)}::jsonpath) value)`;

const KEYS_OF = {
  storage_key: (column: string) => sql`lateral (select t.${sql.ref(column)} as key)`,
  result_keys: (column: string) => strings(column, 'strict $.** ? (@.type() == "string")'),
  meta: (column: string) => strings(column, 'lax $.keys.* ? (@.type() == "string")'),
};
