import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { AscendingNumbers } from './ascending-numbers.ts';

async function sorted(values: Float64Array, held: number, partLength: number): Promise<number[]> {
  const numbers = new AscendingNumbers(held);
  try {
    for (let from = 0; from < values.length; from += partLength) {
      await numbers.add(values.subarray(from, from + partLength));
    }
    const all: number[] = [];
    for await (const part of numbers.ascending()) all.push(...part);
    expect(numbers.count).toBe(all.length);
    return all;
  } finally {
    await numbers.close();
  }
}

test('numbers come in ascending order and none is lost, whether they are held or go through a file', async () => {
  // Many ties, and some runs that lie wholly below others.
  const values = Float64Array.from({ length: 50_000 }, (_, i) =>
    i % 101 === 0 ? Number.NaN : i % 5 === 0 ? 7 : Math.floor(i / 20_000) + Math.sin(i) ** 2,
  );
  const expected = [...values.filter((value) => !Number.isNaN(value)).sort()];
  for (const held of [1 << 20, 49_505, 20_000, 9000, 100]) {
    expect(await sorted(values, held, 1024), `${held} held`).toEqual(expected);
  }
  expect(await sorted(values.subarray(0, 1000), 10, 1000)).toEqual([
    ...values
      .subarray(1, 1000)
      .filter((v) => !Number.isNaN(v))
      .sort(),
  ]);
  expect(await sorted(new Float64Array(), 10, 10)).toEqual([]);
});

test('the temporary file is gone after close', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('heterosis-sorted-'));
  const numbers = new AscendingNumbers(10);
  await numbers.add(new Float64Array(100));
  const during = readdirSync(tmpdir()).filter((name) => name.startsWith('heterosis-sorted-') && !before.includes(name));
  expect(during.length).toBeGreaterThan(0);
  await numbers.close();
  await expect(numbers.ascending().next()).rejects.toThrow();
});
