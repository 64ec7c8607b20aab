import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import type { ObjectStorage } from '../object-storage/object-storage.ts';
import { sqlText } from './write-result-table.ts';

/** Reads result tables (Parquet in the object storage) with SQL. */
export interface ResultTables {
  /**
   * `sql` receives the table expression for FROM; values are passed as `$1`, `$2` …, never in the text. Integers come
   * back as numbers. Several keys are tables below each other, by the names of their columns. Throws
   * `ObjectNotFoundError` when a table does not exist.
   */
  query<Row extends Record<string, unknown>>(
    key: string | readonly string[],
    sql: (table: string) => string,
    values?: readonly (string | number | null)[],
    /** What the object is: a CSV has a head, and DuckDB tells the types of its columns. */
    format?: 'parquet' | 'csv',
  ): Promise<Row[]>;
}

export interface ResultTablesOptions {
  storage: ObjectStorage;
  /** Directory of copies of recently read tables. */
  directory: string;
  maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 2 * 1024 ** 3;

/**
 * A table is copied to the local disk when first read, because DuckDB reads buckets only with an extension that it
 * would have to download. A key never gets other content (keys contain the run and the attempt), so a copy is never
 * stale.
 */
export function createResultTables({
  storage,
  directory,
  maxBytes = DEFAULT_MAX_BYTES,
}: ResultTablesOptions): ResultTables {
  const arriving = new Map<string, Promise<void>>();
  /** Number of readers per copy: a copy in use must not be removed. */
  const inUse = new Map<string, number>();
  let connection: Promise<DuckDBConnection> | undefined;

  async function makeCopy(key: string, path: string): Promise<void> {
    try {
      const now = new Date();
      await utimes(path, now, now);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const incoming = join(directory, `${randomBytes(8).toString('hex')}.incoming`);
    try {
      await storage.download(key, incoming);
      await rename(incoming, path);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await dropOldest(directory, { maxBytes, ending: '.parquet', inUse });
  }

  function makeCopyOnce(key: string, path: string): Promise<void> {
    let copy = arriving.get(key);
    if (copy === undefined) {
      copy = makeCopy(key, path).finally(() => arriving.delete(key));
      arriving.set(key, copy);
    }
    return copy;
  }

  async function withCopy<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result> {
    const path = join(directory, `${createHash('sha256').update(key).digest('hex')}.parquet`);
    inUse.set(path, (inUse.get(path) ?? 0) + 1);
    try {
      await makeCopyOnce(key, path);
      return await work(path);
    } finally {
      const others = (inUse.get(path) ?? 1) - 1;
      if (others > 0) inUse.set(path, others);
      else inUse.delete(path);
    }
  }

  async function withCopies<Result>(
    keys: readonly string[],
    work: (paths: string[]) => Promise<Result>,
  ): Promise<Result> {
    const [key, ...others] = keys;
    if (key === undefined) return await work([]);
    return await withCopy(key, (path) => withCopies(others, (paths) => work([path, ...paths])));
  }

  return {
    async query(key, sql, values = [], format = 'parquet') {
      connection ??= connect().catch((error: unknown) => {
        // The next read tries again.
        connection = undefined;
        throw error;
      });
      const asked = await connection;
      return await withCopies([key].flat(), async (paths) => {
        const table = `read_${format}([${paths.map(sqlText).join(', ')}], union_by_name = true)`;
        const reader = await asked.runAndReadAll(sql(table), [...values] as DuckDBValue[]);
        return reader.getRowObjectsJS().map(plainNumbers) as never;
      });
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

/** Keeps the directory below its limit; removes the least recently used copies first. */
export async function dropOldest(
  directory: string,
  { maxBytes, ending, inUse }: { maxBytes: number; ending: string; inUse: ReadonlyMap<string, number> },
): Promise<void> {
  const copies: { path: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(directory)) {
    if (!name.endsWith(ending)) continue;
    const path = join(directory, name);
    // Undefined: another call has removed it since.
    const found = await stat(path).catch(missingAsUndefined);
    if (found !== undefined) copies.push({ path, size: found.size, usedAt: found.mtimeMs });
  }
  let total = copies.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes) return;
    if (inUse.has(path)) continue;
    await rm(path, { force: true });
    total -= size;
  }
}

function missingAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
