import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import {
  indexMaterial,
  type PlanTables,
  packPlanTables,
  unpackPlanTables,
  weightsPerDeviation,
} from './plan-tables.ts';

test('equal weights have the three digits that are shown, and are 1 for a trait that does not vary', () => {
  // Standard deviations: √(14/9) = 1.2472, √(1400/9) = 12.472, 0.
  const values = Float64Array.of(1, 40, 5, 2, 20, 5, 4, 10, 5);
  expect(weightsPerDeviation({ values, traits: ['yield', 'height', 'even'] })).toEqual([0.802, 0.0802, 1]);
  const shares = { yield: 0.25, height: 0.75, even: 0 };
  expect(weightsPerDeviation({ values, traits: ['yield', 'height', 'even'] }, shares)).toEqual([0.2, 0.0601, 0]);
});

test('values predicted together need no accuracies: what is gained in the true ones is what the predicted ones show', () => {
  // Of two traits with G = [4 3; 3 9] and R = [6 −2; −2 3], by lines that are not related: ĝ = G(G + R)⁻¹y.
  const [n, stream] = [1000, createRandomStream(5)];
  const values = new Float64Array(2 * n);
  const truth = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const [a, b, c, d] = Array.from({ length: 4 }, () => stream.normal());
    const g = [2 * a, 1.5 * a + Math.sqrt(6.75) * b];
    const y = [g[0] + Math.sqrt(6) * c, g[1] - (2 / Math.sqrt(6)) * c + Math.sqrt(3 - 4 / 6) * d];
    // V = [10 1; 1 12], |V| = 119.
    const x = [(12 * y[0] - y[1]) / 119, (10 * y[1] - y[0]) / 119];
    values.set([4 * x[0] + 3 * x[1], 3 * x[0] + 9 * x[1]], 2 * i);
    truth.set(g, 2 * i);
  }
  const tables: PlanTables = {
    candidates: Array.from({ length: n }, (_, i) => String(i)),
    ...{ traits: ['A', 'B'], values, covariances: null },
    relationship: new Float64Array((n * (n + 1)) / 2),
    isTogether: true,
  };
  const settings = {
    ...{ method: 'smith_hazel' as const, weights: [1, 0.2], isLow: [false, false], isKept: [false, false] },
    accuracy: [0.9, 0.3],
  };
  const { value, weights, gains } = indexMaterial(tables, settings);
  for (const [t, weight] of weights.entries()) expect(weight).toBeCloseTo(settings.weights[t], 10);
  const sd = Math.sqrt(value.reduce((sum, one) => sum + one * one, 0) / (n - 1));
  for (const t of [0, 1]) {
    const shared = value.reduce((sum, one, i) => sum + one * truth[2 * i + t], 0) / (n - 1);
    // Within three standard errors of a covariance.
    expect(Math.abs(gains[t] - shared / sd)).toBeLessThan((3 * [2, 3][t]) / Math.sqrt(n));
  }
  const { isTogether: _, ...alone } = tables;
  expect(indexMaterial(alone, settings).weights[1]).not.toBeCloseTo(0.2, 2);
  expect(unpackPlanTables(packPlanTables({ ...tables, relationship: tables.relationship })).isTogether).toBe(true);
});
