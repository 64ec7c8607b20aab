import { expect, test } from 'vitest';
import { SpooledRecords } from './spooled-records.ts';

async function all<T>(spool: SpooledRecords<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of spool.records()) records.push(record);
  return records;
}

test.each([
  ['in memory', undefined],
  ['in a file', 0],
  ['partly in a file', 600],
])('records %s come back in order, with all their bits', async (_, held) => {
  const spool = new SpooledRecords<{ name: string; values: Float64Array; flags: Uint8Array }>(held);
  const records = Array.from({ length: 7 }, (_, k) => ({
    name: `r${k}`,
    values: Float64Array.of(k / 3, Number.NaN, -0, 5e-324),
    flags: new Uint8Array(k).fill(k),
  }));
  try {
    for (const record of records) await spool.add(record);
    for (let time = 0; time < 2; time++) expect(await all(spool)).toEqual(records);
  } finally {
    await spool.close();
  }
});

test('a spool without records gives none', async () => {
  const spool = new SpooledRecords();
  expect(await all(spool)).toEqual([]);
  await spool.close();
});
