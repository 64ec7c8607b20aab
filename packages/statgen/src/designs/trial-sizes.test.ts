import { expect, test } from 'vitest';
import { trialSizes } from './trial-sizes.ts';

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
