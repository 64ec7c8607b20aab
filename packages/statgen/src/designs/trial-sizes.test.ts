import { expect, test } from 'vitest';
import { estimatedVariances, trialSizes } from './trial-sizes.ts';

test('accuracy and cost are those of a hand-worked case, and the best are those that nothing cheaper beats', () => {
  const limits = { entries: 10, places: 2, replicates: 2 };
  const sizes = trialSizes({ lines: 4, interaction: 2, residual: 8 }, limits, { plot: 1, place: 15 });
  // h² of p places × r replicates: 4/(4 + 2/p + 8/(pr)).
  expect(sizes).toEqual([
    { places: 1, replicates: 1, plots: 10, cost: 25, heritability: 4 / 14, accuracy: Math.sqrt(4 / 14), isBest: true },
    { places: 1, replicates: 2, plots: 20, cost: 35, heritability: 0.4, accuracy: Math.sqrt(0.4), isBest: true },
    { places: 2, replicates: 1, plots: 20, cost: 50, heritability: 4 / 9, accuracy: 2 / 3, isBest: true },
    { places: 2, replicates: 2, plots: 40, cost: 70, heritability: 4 / 7, accuracy: Math.sqrt(4 / 7), isBest: true },
  ]);
  const dear = trialSizes({ lines: 4, interaction: 0, residual: 8 }, limits, { plot: 1, place: 15 });
  expect(dear.filter(({ isBest }) => isBest).map(({ places, replicates }) => [places, replicates])).toEqual([
    [1, 1],
    [1, 2],
    [2, 2],
  ]);
});

test('refuses variances that are none', () => {
  const limits = { entries: 10, places: 2, replicates: 2 };
  const costs = { plot: 1, place: 0 };
  expect(() => trialSizes({ lines: 0, interaction: 1, residual: 1 }, limits, costs)).toThrow('variances 0 of lines');
  expect(() => trialSizes({ lines: 1, interaction: -1, residual: 1 }, limits, costs)).toThrow('-1');
});

test('variances of earlier analyses: between and within environments of a series, plots with their nugget', () => {
  const trials = [{ lines: { value: 5 }, residual: { value: 6 }, units: { value: 1 } }, { residual: { value: 9 } }];
  expect(estimatedVariances(trials, null)).toEqual({ lines: 5, residual: 8 });
  const sigma = [
    [5, 3, null],
    [3, 6, 1],
    [null, 1, 7],
  ];
  expect(estimatedVariances(trials, sigma)).toEqual({ lines: 2, interaction: 4, residual: 8 });
  expect(estimatedVariances([], [[4]])).toEqual({ lines: 4 });
  const negative = [
    [2, 3],
    [3, 2],
  ];
  expect(estimatedVariances([], negative)).toEqual({ lines: 3, interaction: 0 });
});
