import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { DEFAULT_PAGE_SIZE, page, pageQuery } from '@heterosis/contracts/common';
import { type Endpoints, get } from '@heterosis/contracts/endpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { bind } from '../http/bind.ts';
import { createTestApp, type TestApp } from '../http/testing.ts';

const ROWS = 5_001;
const TRAITS = ['Yield', 'Height'];
const PARQUET = 'application/vnd.apache.parquet';
const LINES = 'application/x-ndjson';

const row = z.object({}).loose();
const seedsApi = {
  listSeeds: get('/seeds', 'public', {
    summary: 'Seeds',
    query: pageQuery.extend({ empty: z.stringbool().default(false) }),
    answer: page(row).extend({ traits: z.array(z.string()) }),
    table: true,
  }),
} as const satisfies Endpoints;

const seed = (i: number) => ({
  name: `00${i}`,
  count: i,
  weight: i === 3 ? null : i / 7,
  gebv: [i, i === 4 ? null : (1 - i) / 3],
  good: i % 2 === 0,
  ...{ joint: { chi2: i, parts: [{ trait: 'Yield', effect: i }] }, never: null },
  ...(i > 4_000 ? { late: 'é"\n' } : {}),
});
const flatSeed = (i: number) => {
  const { gebv, joint, ...cells } = seed(i);
  const flat = { 'gebv.Yield': gebv[0], 'gebv.Height': gebv[1], 'joint.chi2': joint.chi2, 'joint.parts': joint.parts };
  return { ...cells, ...flat };
};
let pages = 0;

let context: TestApp;
beforeAll(async () => {
  const listSeeds = (_call: unknown, { query }: { query: { limit: number; cursor?: string; empty: boolean } }) => {
    pages++;
    const first = Number(query.cursor ?? 0);
    const count = query.empty ? 0 : Math.min(query.limit, ROWS - first);
    const data = Array.from({ length: count }, (_, i) => seed(first + i));
    return { data, traits: TRAITS, next_cursor: first + count < ROWS && !query.empty ? String(first + count) : null };
  };
  context = await createTestApp({ features: [bind(seedsApi, { listSeeds } as never)] });
});
afterAll(() => context.close());

const ask = async (accept: string, headers: Record<string, string> = {}, query = '') => {
  const answer = await context.app.inject({ url: `/api/seeds${query}`, headers: { accept, ...headers } });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
};
const tables = () => join(context.services.config.dataDir, 'cache', 'tables');

async function readParquet(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const path = join(context.services.config.dataDir, 'read.parquet');
  await writeFile(path, bytes);
  const instance = await DuckDBInstance.create(':memory:');
  const reader = await (await instance.connect()).runAndReadAll(`select * from read_parquet('${path}')`);
  const rows = reader.getRowObjectsJS() as Record<string, unknown>[];
  instance.closeSync();
  return rows;
}

test('all rows of a list come as lines of JSON, with fields within fields and traits as columns', async () => {
  const { status, headers, bytes } = await ask(LINES);
  expect([status, headers['content-type']]).toEqual([200, LINES]);
  const lines = bytes.toString().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(Array.from({ length: ROWS }, (_, i) => flatSeed(i)));
  expect(JSON.parse((await ask('application/json')).bytes.toString()).data).toHaveLength(DEFAULT_PAGE_SIZE);
});

test('and as Parquet, in columns of one type each', async () => {
  const rows = await readParquet((await ask(`${PARQUET}, */*`)).bytes);
  expect(rows).toHaveLength(ROWS);
  for (const i of [0, 3, 4, 3_999, 5_000]) {
    const { 'joint.parts': parts, ...cells } = flatSeed(i);
    const expected = { late: null, ...cells, count: BigInt(i), 'gebv.Yield': BigInt(i), 'joint.chi2': BigInt(i) };
    expect(rows[i]).toEqual({ ...expected, 'joint.parts': JSON.stringify(parts) });
  }
  expect(await readParquet((await ask(PARQUET, {}, '?empty=true')).bytes)).toEqual([]);
});

test('a download goes on by ranges, also after its file was made again, and starts anew when its rows have changed', async () => {
  for (const type of [LINES, PARQUET]) {
    const whole = await ask(type);
    const etag = String(whole.headers.etag);
    const before = pages;
    const end = await ask(type, { range: 'bytes=1000-', 'if-range': etag });
    expect(pages - before).toBe(1);
    expect([end.status, end.headers['content-range']]).toEqual([
      206,
      `bytes 1000-${whole.bytes.length - 1}/${whole.bytes.length}`,
    ]);
    expect(Buffer.concat([whole.bytes.subarray(0, 1000), end.bytes]).equals(whole.bytes)).toBe(true);
    await rm(tables(), { recursive: true });
    const again = await ask(type, { range: 'bytes=0-99', 'if-range': etag });
    expect([again.status, again.headers.etag]).toEqual([206, etag]);
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash((await ask(type)).bytes)).toBe(hash(whole.bytes));
    expect((await ask(type, { range: 'bytes=1000-', 'if-range': '"other"' })).status).toBe(200);
    expect((await ask(type, { range: `bytes=${whole.bytes.length}-` })).status).toBe(416);
  }
  expect((await readdir(tables())).filter((name) => !name.endsWith('.table'))).toEqual([]);
});

test('many who ask at once wait for one file', async () => {
  await rm(tables(), { recursive: true });
  const before = pages;
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(LINES)));
  expect(new Set(answers.map(({ bytes }) => bytes.length)).size).toBe(1);
  // Each asks for the first page, to see that it may.
  expect(pages - before).toBe(8 + 2);
});

test('the API document says so', () => {
  const paths = context.app.swagger().paths as Record<
    string,
    { get: { responses: Record<string, { content: object }> } }
  >;
  expect(Object.keys(paths['/api/seeds']?.get.responses['200']?.content ?? {})).toEqual([
    'application/json',
    PARQUET,
    LINES,
  ]);
});
