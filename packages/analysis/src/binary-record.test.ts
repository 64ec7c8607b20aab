import { expect, it } from 'vitest';
import { packRecord, unpackRecord } from './binary-record.ts';

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

it('refuses what is no record and a record that was cut', () => {
  expect(() => unpackRecord(new Uint8Array(40))).toThrow(RangeError);
  expect(() => unpackRecord(packRecord(value).subarray(0, -4))).toThrow(RangeError);
});
