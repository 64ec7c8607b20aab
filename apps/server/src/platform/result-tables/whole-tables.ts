import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DuckDBInstance } from '@duckdb/node-api';
import { TABLE_TYPES, type TableType } from '@heterosis/contracts/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { contentDisposition } from '../object-storage/content-disposition.ts';
import { requireSpace } from '../object-storage/disk-reserve.ts';
import { parseRange } from '../object-storage/local-disk.routes.ts';
import { dropOldest } from './result-tables.ts';
import { sqlText } from './write-result-table.ts';

/** A page of rows as an endpoint answers it. */
export interface RowsPage {
  data: readonly object[];
  next_cursor: string | null;
  /** Arrays of this length in the rows have a value for each of them. */
  traits?: readonly string[];
}

/** Answers a page of the endpoint: so many rows after a cursor. */
type ReadPage = (page: { limit: number; cursor: string | undefined }) => Promise<RowsPage>;

/** A page is read within one turn of the event loop, so that other requests wait for milliseconds. */
const PAGE_ROWS = 2_000;
/** Tables made at one time. */
const AT_ONCE = 2;
const MAX_CACHE_BYTES = 2 * 1024 ** 3;

/** The format of a whole table that a request accepts before JSON; undefined for a page. */
export function wantedTable({ headers }: Pick<FastifyRequest, 'headers'>): TableType | undefined {
  const types = (headers.accept ?? '').split(',').map((type) => type.split(';')[0]?.trim());
  return TABLE_TYPES.find((type) => types.includes(type));
}

/**
 * Sends all rows of a list as one file, whole or by ranges. The file is made once, page by page in constant memory, and
 * kept for a while. The same rows give the same bytes, so that a download goes on also after the file was made again.
 */
export async function sendWholeTable(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { config, type, readPage }: { config: Config; type: TableType; readPage: ReadPage },
): Promise<FastifyReply> {
  const first = await readPage({ limit: PAGE_ROWS, cursor: undefined });
  const key = createHash('sha256')
    .update(JSON.stringify([config.version, type, request.url, first]))
    .digest('hex');
  const directory = join(config.dataDir, 'cache', 'tables');
  const path = join(directory, `${key}.table`);
  reading.set(path, (reading.get(path) ?? 0) + 1);
  const release = () => {
    const others = (reading.get(path) ?? 1) - 1;
    if (others > 0) reading.set(path, others);
    else reading.delete(path);
  };
  try {
    await madeOnce(path, async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await requireSpace(directory, config.limits.reservedDiskBytes);
      await makeTable(path, type, { first, readPage });
      await dropOldest(directory, { maxBytes: MAX_CACHE_BYTES, ending: '.table', inUse: reading });
    });
    return await sendRange({ request, reply }, { path, type, etag: `"${key}"`, release });
  } catch (error) {
    release();
    throw error;
  }
}

const reading = new Map<string, number>();
const arriving = new Map<string, Promise<void>>();
let making = 0;
const waiting: (() => void)[] = [];

async function madeOnce(path: string, make: () => Promise<void>): Promise<void> {
  let arrival = arriving.get(path);
  if (arrival === undefined) {
    arrival = isThere(path)
      .then((there) => (there ? undefined : inTurn(make)))
      .finally(() => arriving.delete(path));
    arriving.set(path, arrival);
  }
  await arrival;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

async function inTurn(make: () => Promise<void>): Promise<void> {
  if (making >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn));
  else making++;
  try {
    await make();
  } finally {
    const next = waiting.shift();
    if (next === undefined) making--;
    else next();
  }
}

async function makeTable(
  path: string,
  type: TableType,
  { first, readPage }: { first: RowsPage; readPage: ReadPage },
): Promise<void> {
  const lines = `${path}.lines`;
  const made = `${path}.made`;
  try {
    const file = await open(lines, 'w', 0o600);
    const columns = await writeLines(file, first, readPage).finally(() => file.close());
    if (type === 'application/vnd.apache.parquet') await writeParquet(lines, made, columns);
    else await rename(lines, made);
    await rename(made, path);
  } finally {
    await rm(lines, { force: true });
    await rm(made, { force: true });
  }
}

/** The type of a column in DuckDB, as its values so far say. */
type ColumnType = 'BOOLEAN' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'JSON';

async function writeLines(
  file: FileHandle,
  first: RowsPage,
  readPage: ReadPage,
): Promise<Map<string, ColumnType | undefined>> {
  const columns = new Map<string, ColumnType | undefined>();
  for (let page = first; ; ) {
    let text = '';
    for (const row of page.data) {
      const cells = flat(row, page.traits ?? []);
      for (const [name, value] of Object.entries(cells)) {
        const known = columns.get(name);
        columns.set(name, value === null ? known : widest(known, typeOf(value)));
      }
      text += `${JSON.stringify(cells)}\n`;
    }
    await file.appendFile(text);
    if (page.next_cursor === null) return columns;
    page = await readPage({ limit: PAGE_ROWS, cursor: page.next_cursor });
  }
}

/** Fields within fields, and values for each trait, become columns such as `joint.chi2` and `gebv.Yield`. */
function flat(row: object, traits: readonly string[], prefix = ''): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const inside = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isByTrait = Array.isArray(value) && traits.length > 0 && value.length === traits.length;
    if (inside) Object.assign(cells, flat(value, traits, `${prefix}${name}.`));
    else if (isByTrait)
      for (const [t, trait] of traits.entries()) cells[`${prefix}${name}.${trait}`] = value[t] ?? null;
    else cells[`${prefix}${name}`] = value ?? null;
  }
  return cells;
}

function typeOf(value: unknown): ColumnType {
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value === 'string') return 'VARCHAR';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'BIGINT' : 'DOUBLE';
  return 'JSON';
}

function widest(known: ColumnType | undefined, found: ColumnType): ColumnType {
  if (known === undefined || known === found) return found;
  const isNumber = [known, found].every((type) => type === 'BIGINT' || type === 'DOUBLE');
  return isNumber ? 'DOUBLE' : 'JSON';
}

/** One thread and no timestamp in the file, so the same lines give the same bytes. */
async function writeParquet(lines: string, path: string, columns: Map<string, ColumnType | undefined>): Promise<void> {
  const types = [...columns].map(([name, type]) => `${sqlText(name)}: ${sqlText(type ?? 'VARCHAR')}`);
  // A file has a column, also without rows.
  const table =
    types.length === 0
      ? '(select null::varchar as empty limit 0)'
      : `read_json(${sqlText(lines)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '1GB' });
  try {
    const connection = await instance.connect();
    await connection.run(`copy (select * from ${table}) to ${sqlText(path)} (format parquet, compression zstd)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

async function sendRange(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { path, type, etag, release }: { path: string; type: TableType; etag: string; release: () => void },
): Promise<FastifyReply> {
  const { size } = await stat(path);
  const condition = request.headers['if-range'];
  const range = condition === undefined || condition === etag ? parseRange(request.headers.range, size) : undefined;
  reply
    .type(type)
    .header(
      'content-disposition',
      contentDisposition(type === 'application/x-ndjson' ? 'table.ndjson' : 'table.parquet'),
    )
    .header('etag', etag)
    .header('vary', 'accept')
    .header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    release();
    return reply.status(416).header('content-range', `bytes */${size}`).send('');
  }
  const { first, last } = range ?? { first: 0, last: size - 1 };
  if (range !== undefined) reply.status(206).header('content-range', `bytes ${first}-${last}/${size}`);
  reply.header('content-length', String(last - first + 1));
  const isEmpty = request.method === 'HEAD' || last < first;
  const bytes = isEmpty ? Readable.from([]) : createReadStream(path, { start: first, end: last });
  bytes.once('close', release);
  return reply.send(bytes);
}
