import { expect, test } from 'vitest';
import { predictionAccuracy } from './prediction-accuracy.ts';

const observed = Float64Array.of(1.5, -2, 4, 3.25, 0.5, Number.NaN);
const predicted = Float64Array.of(1, -1, 2.5, 3, 1.25, 9);

test.each([1e100, 1e-100, 1e-160, -7])(
  'figures of a trait in units of 1/%d are the same, with the error in its unit',
  (unit) => {
    const base = predictionAccuracy(observed, predicted);
    const scaled = predictionAccuracy(
      observed.map((value) => value * unit),
      predicted.map((value) => value * unit),
    );
    expect(base.pearsonR).toBeGreaterThan(0.9);
    for (const figure of ['n', 'pearsonR', 'spearmanR', 'r2', 'slope'] as const) {
      expect(scaled[figure]).toBeCloseTo(base[figure], 12);
    }
    expect(scaled.rmse / Math.abs(unit)).toBeCloseTo(base.rmse, 12);
  },
);
