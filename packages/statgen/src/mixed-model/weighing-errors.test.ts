import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { weighingErrors } from './weighing-errors.ts';

const VARIANCES = Float64Array.from([0.5, 1, 2, 4, 0.25]);

/** D + c·11ᵀ: errors of their own, and a level that all share. */
function withLevel(c: number): Matrix {
  const n = VARIANCES.length;
  const omega = createMatrix(n, n);
  omega.data.fill(c);
  for (let i = 0; i < n; i++) omega.data[i * (n + 1)] += VARIANCES[i] ?? 0;
  return omega;
}

test('independent errors weigh by themselves', () => {
  expect([...weighingErrors(VARIANCES)]).toEqual(Array.from(VARIANCES, Math.sqrt));
  weighingErrors(withLevel(0)).forEach((error, i) => expect(error).toBeCloseTo(Math.sqrt(VARIANCES[i] ?? 0), 14));
});

// (D + c·11ᵀ)⁻¹ has wᵢ − wᵢ²/(1/c + Σw) on its diagonal (Sherman & Morrison 1950), which wᵢ(1 − wᵢ/Σw) bounds below.
test.each([1, 100, 1e6])('a level of variance %d drops out but for the share of each value in it', (c) => {
  const w = VARIANCES.map((variance) => 1 / variance);
  const sum = w.reduce((all, one) => all + one, 0);
  weighingErrors(withLevel(c)).forEach((error, i) => {
    const own = w[i] ?? 0;
    expect(error ** -2 / (own - own ** 2 / (1 / c + sum))).toBeCloseTo(1, 8);
    expect(error ** -2).toBeGreaterThan(own * (1 - own / sum) * (1 - 1e-8));
  });
});

test('a covariance without inverse has no weights', () => {
  const omega = createMatrix(2, 2);
  omega.data.fill(1);
  expect(() => weighingErrors(omega)).toThrow(expect.objectContaining({ code: 'errors-not-positive-definite' }));
});
