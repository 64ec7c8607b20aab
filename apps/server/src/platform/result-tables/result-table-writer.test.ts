import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResultTable, type ResultCell } from './result-table-writer.ts';
import { writeResultTable } from './write-result-table.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'result-table-writer-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'place', type: 'integer' },
  { name: 'p', type: 'double' },
] as const;

async function write(name: string, blocks: readonly ResultCell[][][]): Promise<string> {
  const path = join(directory, name);
  const table = await createResultTable(path, COLUMNS);
  try {
    for (const rows of blocks) await table.add(rows);
    await table.finish();
  } finally {
    await table.close();
  }
  return path;
}

async function rowsOf(path: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(`select * from read_parquet('${path}')`)).getRowsJS();
  connection.closeSync();
  instance.closeSync();
  return rows as unknown[][];
}

test('every name and number comes back as it was, and missing ones as null', async () => {
  const names = [
    'plain',
    '',
    'a,b',
    'say "hi"',
    '"',
    "it's",
    ' blank ',
    'two\nlines',
    'CR\r\nLF',
    'NA',
    'NULL',
    'é·𝛽',
    '\\N',
    '=1+1',
    'x'.repeat(3e6),
  ];
  const numbers = [0, -1.5, 1 / 3, 5e-324, 1.7976931348623157e308, 1e21, 2 ** 53 - 1, 0.1 + 0.2, -1e-7];
  const rows: ResultCell[][] = [
    ...names.map((name, place): ResultCell[] => [name, place, 0.5]),
    ...numbers.map((value, place): ResultCell[] => ['n', -place, value]),
    [null, null, null],
    ['not finite', 7, Number.NaN],
    ['not finite', 7, Number.POSITIVE_INFINITY],
  ];
  const path = await write('cells.parquet', [rows.slice(0, 4), [], rows.slice(4)]);
  const expected = rows.map(([id, place, p]) => [id, place === 0 ? 0 : place, Number.isFinite(p) ? p : null]);
  expect(await rowsOf(path)).toEqual(expected);
  expect(await readdir(directory)).toEqual(['cells.parquet']);
});

test('rows keep their order and give the same table as columns do', { tags: 'whole' }, async () => {
  // More than one row group of DuckDB.
  const count = 130_000;
  const p = Float64Array.from({ length: count }, (_, row) => Math.sin(row) ** 2);
  const id = Array.from(p, (_, row) => `m${row}`);
  const place = Int32Array.from(p, (_, row) => (row * 7919) % count);
  const blocks = Array.from({ length: 13 }, (_, block) =>
    id.slice(block * 10_000, (block + 1) * 10_000).map((name, k): ResultCell[] => {
      const row = block * 10_000 + k;
      return [name, place[row] ?? null, p[row] ?? null];
    }),
  );
  const path = await write('rows.parquet', blocks);
  const other = join(directory, 'columns.parquet');
  const [first, second, third] = COLUMNS;
  await writeResultTable(other, [
    { ...first, values: id },
    { ...second, values: place },
    { ...third, values: p },
  ]);
  expect(JSON.stringify(await rowsOf(path)) === JSON.stringify(await rowsOf(other))).toBe(true);
  expect((await readFile(path)).equals(await readFile(await write('again.parquet', blocks)))).toBe(true);
});

test('a table without rows can be read', async () => {
  expect(await rowsOf(await write('empty.parquet', []))).toEqual([]);
});
