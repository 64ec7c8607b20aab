import { expect, test } from 'vitest';
import { weightsPerDeviation } from './plan-tables.ts';

test('equal weights have the three digits that are shown, and are 1 for a trait that does not vary', () => {
  // Standard deviations: √(14/9) = 1.2472, √(1400/9) = 12.472, 0.
  const values = Float64Array.of(1, 40, 5, 2, 20, 5, 4, 10, 5);
  expect(weightsPerDeviation({ values, traits: ['yield', 'height', 'even'] })).toEqual([0.802, 0.0802, 1]);
  const shares = { yield: 0.25, height: 0.75, even: 0 };
  expect(weightsPerDeviation({ values, traits: ['yield', 'height', 'even'] }, shares)).toEqual([0.2, 0.0601, 0]);
});
