import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

/** Rows read or written per statement. */
const BATCH = 2_000;
/** Bytes of JSON per statement, for tables with long rows. */
const BATCH_BYTES = 8 << 20;

/** Tables of the product in an order in which rows can be inserted: each after those that it refers to. */
export async function listTables(db: Queryable): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'kysely\\_%'
    order by relname
  `.execute(db);
  const { rows: references } = await sql<{ name: string; refers_to: string }>`
    select one.relname as name, other.relname as refers_to from pg_constraint
    join pg_class one on one.oid = conrelid join pg_class other on other.oid = confrelid
    where contype = 'f' and one.relnamespace = 'public'::regnamespace and conrelid <> confrelid
  `.execute(db);
  return inOrder(
    tables.map(({ name }) => name),
    references.map(({ name, refers_to }) => [name, refers_to]),
  );
}

/** Sorts names so that each comes after those it refers to (Kahn 1962). Throws for a cycle. */
export function inOrder(names: readonly string[], references: readonly (readonly [string, string])[]): string[] {
  const left = new Set(names);
  const sorted: string[] = [];
  while (left.size > 0) {
    const ready = [...left].filter((name) => !references.some(([from, to]) => from === name && left.has(to)));
    if (ready.length === 0) throw new Error(`These tables refer to each other in a circle: ${[...left].join(', ')}`);
    for (const name of ready) left.delete(name);
    sorted.push(...ready);
  }
  return sorted;
}

/**
 * Writes all rows of a table as lines of JSON, compressed; returns their number. PostgreSQL writes and reads the JSON,
 * so every value comes back as it was.
 */
export async function writeTable(trx: DatabaseTransaction, table: string, path: string): Promise<number> {
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    await sql`
      declare backup no scroll cursor for
      select row_to_json(t)::text as line from ${sql.table(table)} t order by ${await keyOf(trx, table)}
    `.execute(trx);
    for (;;) {
      const { rows: batch } = await sql<{ line: string }>`fetch ${sql.lit(BATCH)} from backup`.execute(trx);
      if (batch.length === 0) break;
      rows += batch.length;
      yield `${batch.map(({ line }) => line).join('\n')}\n`;
    }
    await sql`close backup`.execute(trx);
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(path));
  return rows;
}

/** The primary key, so that equal rows are equal bytes wherever they lie in the table. */
async function keyOf(db: Queryable, table: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_index
    join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indrelid = ${table}::regclass and indisprimary order by array_position(indkey::int2[], attnum)
  `.execute(db);
  return rows.length === 0 ? sql`t::text` : sql.join(rows.map(({ name }) => sql.ref(`t.${name}`)));
}

/** Inserts the rows written by {@link writeTable} into the empty table and returns their number. */
export async function readTable(trx: DatabaseTransaction, table: string, path: string): Promise<number> {
  const columns = await listStoredColumns(trx, table);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  let rows = 0;
  let batch: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await sql`
      insert into ${sql.table(table)} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${sql.table(table)}, ${`[${batch.join(',')}]`}::json)
    `.execute(trx);
    rows += batch.length;
    batch = [];
    bytes = 0;
  };
  const input = createReadStream(path).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(line);
    bytes += line.length;
    if (batch.length >= BATCH || bytes > BATCH_BYTES) await flush();
  }
  await flush();
  await resetSequences(trx, table);
  return rows;
}

async function listStoredColumns(db: Queryable, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Numbers that the table gives continue after the highest one. */
async function resetSequences(db: Queryable, table: string): Promise<void> {
  const { rows } = await sql<{ column: string; sequence: string }>`
    select attname as column, pg_get_serial_sequence(${table}, attname) as sequence from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and pg_get_serial_sequence(${table}, attname) is not null
  `.execute(db);
  for (const { column, sequence } of rows)
    await sql`
      select setval(${sequence}, coalesce(max(${sql.ref(column)}), 1), max(${sql.ref(column)}) is not null)
      from ${sql.table(table)}
    `.execute(db);
}

/** Tables that hold rows. */
export async function listFilledTables(db: Queryable): Promise<string[]> {
  const filled: string[] = [];
  for (const table of await listTables(db)) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}
