import { expect, test } from 'vitest';
import { pointOf, wantedOf } from './summarize-points.ts';

const byReplicate = (values: readonly number[]) => new Map(values.map((value, r) => [r, value]));
const AT = { cycle: 1, quantity: 'gain1', year: 4 };

test('a point has mean, standard error and quantiles of the replicates that have it', () => {
  expect(pointOf(AT, byReplicate([1, 2, 3, 4, Number.NaN]), null)).toEqual({
    ...AT,
    ...{ mean: 2.5, sd: Math.sqrt(5 / 3), se: Math.sqrt(5 / 12), replicates: 4, difference: null },
    // R: quantile(1:4, c(0.05, 0.95)).
    ...{ low: expect.closeTo(1.15, 12), high: expect.closeTo(3.85, 12) },
  });
  expect(pointOf(AT, byReplicate([Number.NaN]), null)).toBeNull();
});

test('a difference is that of pairs, and says how many more make it clear', () => {
  const first = [10, 20, 30, 40];
  const of = (differences: readonly number[]) =>
    pointOf(AT, byReplicate(differences.map((d, r) => d + (first[r] ?? 0))), byReplicate(first))?.difference;
  // Mean 1 and s² = 2/3, so that 1.96·s = 1.6 and 3 pairs are enough.
  expect(of([0, 1, 1, 2])).toEqual({ mean: 1, se: expect.closeTo(Math.sqrt(1 / 6), 12), replicates: 4, more: 0 });
  // Mean 1 and s² = 20/3: 1.96² · 20/3 = 25.6 pairs.
  expect(of([-2, 0, 2, 4])).toMatchObject({ mean: 1, more: 22 });
  expect(of([-1, 1, -1, 1])).toMatchObject({ mean: 0, more: null });
  expect(of([5])).toEqual({ mean: 5, se: null, replicates: 1, more: null });
  expect(pointOf(AT, new Map([[7, 1]]), byReplicate(first))?.difference).toBeNull();
});

test('gain is the mean less its first measurement of any stage', () => {
  const keys = [
    { cycle: 0, stage: 'founders', quantity: 'mean_gv1' },
    { cycle: 1, stage: 'candidates', quantity: 'accuracy' },
    { cycle: 1, stage: 'candidates', quantity: 'mean_gv1' },
    { cycle: 1, stage: 'programme', quantity: 'year' },
  ];
  expect(wantedOf(keys, 'candidates', ['gain1', 'year'])).toMatchObject([
    { quantity: 'gain1', place: 2, less: 0 },
    { quantity: 'year', place: 3, less: -1 },
  ]);
});
