import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import type { ObjectStorage } from '../object-storage/object-storage.ts';
import { sqlText } from './write-result-table.ts';

/** Reads result tables (Parquet in the object storage) with SQL. */
export interface ResultTables {
  /**
   * `sql` gets the table as it is to stand after FROM; values go in as `$1`, `$2` …, never into the text. Integers come
   * back as numbers. Throws `ObjectNotFoundError` when there is no such table.
   */
  query<Row extends Record<string, unknown>>(
    key: string,
    sql: (table: string) => string,
    values?: readonly (string | number | null)[],
  ): Promise<Row[]>;
}

export interface ResultTablesOptions {
  storage: ObjectStorage;
  /** Copies of the tables asked for lately are kept here. */
  directory: string;
  maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 2 * 1024 ** 3;

/**
 * A table is copied to the local disk when it is first asked for, since DuckDB reads buckets only with an extension that it
 * would have to download. A key must never get other content (ours hold the run and the attempt), so a copy is never stale.
 */
export function createResultTables({
  storage,
  directory,
  maxBytes = DEFAULT_MAX_BYTES,
}: ResultTablesOptions): ResultTables {
  const arriving = new Map<string, Promise<string>>();
  let connection: Promise<DuckDBConnection> | undefined;

  async function localCopy(key: string): Promise<string> {
    const path = join(directory, `${createHash('sha256').update(key).digest('hex')}.parquet`);
    try {
      const now = new Date();
      await utimes(path, now, now);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await mkdir(directory, { recursive: true });
    const incoming = join(directory, `${randomBytes(8).toString('hex')}.incoming`);
    try {
      await storage.download(key, incoming);
      await rename(incoming, path);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await dropOldest(directory, maxBytes, path);
    return path;
  }

  function fetchOnce(key: string): Promise<string> {
    let copy = arriving.get(key);
    if (copy === undefined) {
      copy = localCopy(key).finally(() => arriving.delete(key));
      arriving.set(key, copy);
    }
    return copy;
  }

  return {
    async query(key, sql, values = []) {
      connection ??= connect().catch((error: unknown) => {
        // The next question tries again.
        connection = undefined;
        throw error;
      });
      const table = `read_parquet(${sqlText(await fetchOnce(key))})`;
      const reader = await (await connection).runAndReadAll(sql(table), [...values] as DuckDBValue[]);
      return reader.getRowObjectsJS().map(plainNumbers) as never;
    },
  };
}

async function connect(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' });
  return await instance.connect();
}

function plainNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) if (typeof value === 'bigint') row[name] = Number(value);
  return row;
}

/** Keeps the directory below its limit; what was used longest ago goes first. */
async function dropOldest(directory: string, maxBytes: number, keep: string): Promise<void> {
  const copies: { path: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.parquet')) continue;
    const path = join(directory, name);
    const { size, mtimeMs } = await stat(path);
    copies.push({ path, size, usedAt: mtimeMs });
  }
  let total = copies.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes) return;
    if (path === keep) continue;
    await rm(path, { force: true });
    total -= size;
  }
}
