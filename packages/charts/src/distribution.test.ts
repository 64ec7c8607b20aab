import { expect, it } from 'vitest';
import { correlation, histogramOf } from './distribution.ts';

it('counts every value once, in bins with round borders', () => {
  const values = Array.from({ length: 281 }, (_, i) => 35.2 + (i % 97) * 0.71);
  const { min, max, counts } = histogramOf(values);
  expect([min, max]).toEqual([30, 110]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(281);
  const width = (max - min) / counts.length;
  for (const [bin, count] of counts.entries()) {
    const [from, to] = [min + bin * width, min + (bin + 1) * width];
    expect(count).toBe(values.filter((value) => value >= from && value < to).length);
  }
});

it('has one bin for values that are all equal', () => {
  expect(histogramOf([3, 3])).toEqual({ min: 2.5, max: 3.5, counts: [2] });
});

it('correlates two traits', () => {
  expect(correlation([1, 2, 3, 4], [2, 4, 5, 9])).toBeCloseTo(11 / Math.sqrt(130), 12);
  expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
  expect(correlation([1, 1], [1, 2])).toBeNaN();
});
