import { memorySource } from '@heterosis/file-formats/byte-source';
import { expect, it } from 'vitest';
import { packRecord, readRecordItem, unpackRecord } from './binary-record.ts';

const value = {
  name: 'dpoll',
  values: [Float64Array.of(1.5, Number.NaN, -3), new Float64Array()],
  counts: Int32Array.of(7, 8),
  nested: { none: null },
};

it('gives back what was packed, typed arrays as typed arrays', () => {
  expect(unpackRecord(packRecord(value))).toEqual(value);
});

it('reads a record that lies anywhere in a Node Buffer, whose slice copies nothing', () => {
  const record = packRecord(value);
  const pool = Buffer.alloc(record.length + 13, 0xff);
  pool.set(record, 13);
  const read = unpackRecord<typeof value>(pool.subarray(13));
  expect(read).toEqual(value);
  expect(read.values[0]).toHaveLength(3);
});

it('gives one item of a list without reading the bytes of the others', async () => {
  const items = [1, 2, 3].map((k) => ({
    name: `trait ${k}`,
    n: k,
    p: Float64Array.from({ length: 100 * k }, (_, i) => i / k),
    place: Int32Array.of(k, 2, 3),
    empty: new Float64Array(),
    flags: Uint8Array.of(1, 0, k),
  }));
  const record = packRecord(items);
  const source = memorySource(record);
  let bytesRead = 0;
  const counted = {
    read: async (offset: number, length: number) => {
      bytesRead += length;
      return source.read(offset, length);
    },
  };
  for (const [k, item] of items.entries()) expect(await readRecordItem(counted, k)).toEqual(item);
  expect(bytesRead).toBeLessThan(2 * record.length);
  expect(await readRecordItem(memorySource(packRecord([{ a: 1 }])), 0)).toEqual({ a: 1 });
  await expect(readRecordItem(source, 3)).rejects.toThrow(RangeError);
  await expect(readRecordItem(memorySource(new Uint8Array(40)), 0)).rejects.toThrow(RangeError);
  await expect(readRecordItem(memorySource(record.subarray(0, -16)), 2)).rejects.toThrow(RangeError);
});

it('refuses what is no record and a record that was cut', () => {
  expect(() => unpackRecord(new Uint8Array(40))).toThrow(RangeError);
  expect(() => unpackRecord(packRecord(value).subarray(0, -4))).toThrow(RangeError);
});
