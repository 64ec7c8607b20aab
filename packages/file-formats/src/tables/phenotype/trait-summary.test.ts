import { describe, expect, test } from 'vitest';
import { correlationsOf, describe as describeValues, histogramOf, medianInPlace } from './trait-summary.ts';

describe('figures of a trait', () => {
  test('describe leaves missing values out and survives a large mean', () => {
    expect(describeValues([1e9 + 1, Number.NaN, 1e9 + 3])).toEqual({
      n: 2,
      mean: 1e9 + 2,
      sd: Math.SQRT2,
      min: 1e9 + 1,
      max: 1e9 + 3,
    });
    expect(describeValues([Number.NaN])).toEqual({ n: 0, mean: null, sd: null, min: null, max: null });
    expect(describeValues([4]).sd).toBeNull();
  });

  test('the histogram counts every value once', () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    const histogram = histogramOf([...values, Number.NaN]);
    expect(histogram).toMatchObject({ min: 0, max: 99 });
    expect(histogram?.counts).toEqual(Array.from({ length: 10 }, () => 10));
    expect(histogramOf([3, 3])).toEqual({ min: 3, max: 3, counts: [2] });
    expect(histogramOf([])).toBeNull();
  });

  test('correlations use the individuals that have both values', () => {
    const { names, values } = correlationsOf(
      ['a', 'b', 'c', 'd'],
      [
        Float64Array.of(1, 2, 3, 4, Number.NaN),
        Float64Array.of(2, 4, 6, Number.NaN, 9),
        Float64Array.of(-1, -2, -3, -4, 5),
        Float64Array.of(7, 7, 7, 7, 7),
      ],
    );
    expect(names).toEqual(['a', 'b', 'c', 'd']);
    expect(values.slice(0, 4)).toEqual([1, 1, -1, null]);
    expect(values[1 * 4 + 2]).toBeCloseTo(22.25 / Math.sqrt(26.75 * 38.75), 12);
    expect(correlationsOf(['a'], [Float64Array.of(1, 2)]).values).toEqual([null]);
  });

  test('the median of an even number of values lies between the middle ones', () => {
    expect(medianInPlace(Float64Array.of(10, 1, 3, 2))).toBe(2.5);
    expect(medianInPlace(Float64Array.of(10, 1, 2))).toBe(2);
    expect(medianInPlace(new Float64Array(0))).toBeNaN();
  });
});
