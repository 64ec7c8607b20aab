import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalDiskStorage } from '../object-storage/local-disk.ts';
import { ObjectNotFoundError, type ObjectStorage } from '../object-storage/object-storage.ts';
import { createResultTables } from './result-tables.ts';
import { writeResultTable } from './write-result-table.ts';

let directory: string;
let storage: ObjectStorage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'result-tables-'));
  storage = createLocalDiskStorage({
    directory: join(directory, 'files'),
    publicUrl: () => 'http://localhost',
    key: Buffer.alloc(32),
  });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const columns = (rows: number) => [
  { name: 'id', type: 'text' as const, values: Array.from({ length: rows }, (_, row) => `m'${row}`) },
  { name: 'pos', type: 'integer' as const, values: Int32Array.from({ length: rows }, (_, row) => row * 10) },
  {
    name: 'p',
    type: 'double' as const,
    values: Float64Array.from({ length: rows }, (_, row) => (row === 3 ? Number.NaN : 1 / (row + 1))),
  },
];

test('rows come back in the order asked for, with missing values as null', async () => {
  const path = join(directory, 'a.parquet');
  await writeResultTable(path, columns(5000));
  await storage.putFile('t/a.parquet', path);
  const tables = createResultTables({ storage, directory: join(directory, 'copies') });
  expect(
    await tables.query('t/a.parquet', (table) => `select id, pos, p from ${table} order by pos limit 2 offset 3`),
  ).toEqual([
    { id: "m'3", pos: 30, p: null },
    { id: "m'4", pos: 40, p: 0.2 },
  ]);
  expect(
    await tables.query('t/a.parquet', (table) => `select count(*) as n from ${table} where id = $1`, ["m'7"]),
  ).toEqual([{ n: 1 }]);
});

test('the same columns give the same bytes', async () => {
  const [first, second] = [join(directory, 'b.parquet'), join(directory, 'c.parquet')];
  await writeResultTable(first, columns(10_000));
  await writeResultTable(second, columns(10_000));
  expect((await readFile(first)).equals(await readFile(second))).toBe(true);
});

test('copies stay below the limit and a table that went is fetched again', async () => {
  const path = join(directory, 'd.parquet');
  await writeResultTable(path, columns(3000));
  for (const key of ['t/1', 't/2', 't/3']) await storage.putFile(key, path);
  const copies = join(directory, 'few-copies');
  const tables = createResultTables({ storage, directory: copies, maxBytes: 1 });
  for (const key of ['t/1', 't/2', 't/3', 't/1'])
    expect(await tables.query(key, (table) => `select count(*) as n from ${table}`)).toEqual([{ n: 3000 }]);
  expect(await readdir(copies)).toHaveLength(1);
});

test('a table is not dropped while it is being asked', async () => {
  const path = join(directory, 'g.parquet');
  await writeResultTable(path, columns(3000));
  const asked = Array.from({ length: 12 }, (_, table) => `t/at-once-${table}`);
  for (const key of [...asked, 't/later']) await storage.putFile(key, path);
  const copies = join(directory, 'copies-at-once');
  const tables = createResultTables({ storage, directory: copies, maxBytes: 1 });
  const count = (key: string) => tables.query(key, (table) => `select count(*) as n from ${table}`);
  for (const rows of await Promise.all(asked.map(count))) expect(rows).toEqual([{ n: 3000 }]);
  await count('t/later');
  expect(await readdir(copies)).toHaveLength(1);
});

test('a table that does not exist is told apart from an empty one', async () => {
  const tables = createResultTables({ storage, directory: join(directory, 'copies') });
  await expect(tables.query('t/none', (table) => `select 1 from ${table}`)).rejects.toThrow(ObjectNotFoundError);
  await writeResultTable(join(directory, 'e.parquet'), columns(0));
  await storage.putFile('t/empty', join(directory, 'e.parquet'));
  expect(await tables.query('t/empty', (table) => `select * from ${table}`)).toEqual([]);
});
