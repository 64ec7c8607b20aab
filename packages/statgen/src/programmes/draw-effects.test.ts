import { createMatrix, matrixOf } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { drawEffects, effectPosterior } from './draw-effects.ts';

test('drawn effects have mean û and the covariance σ²u(I − σ²u Z′PZ)', () => {
  const [n, m] = [12, 5];
  const random = createRandomStream(4, 'posterior');
  const z = createMatrix(n, m);
  for (let k = 0; k < n * m; k++) z.data[k] = random.nextInt(3);
  const y = Float64Array.from({ length: n }, () => 3 + random.normal());
  const [varianceEffect, varianceResidual] = [0.5, 0.8];
  const posterior = effectPosterior(z, y, { varianceEffect, varianceResidual });

  // The same by the equations of (μ, u) with X = 1, whose inverse is the covariance of what is not known.
  const size = m + 1;
  const at = (i: number, j: number) => (j === 0 ? 1 : z.data[i + (j - 1) * n]);
  const equations = Array.from({ length: size }, (_, a) =>
    Array.from({ length: size }, (__, b) => {
      let sum = a === b && a > 0 ? 1 / varianceEffect : 0;
      for (let i = 0; i < n; i++) sum += (at(i, a) * at(i, b)) / varianceResidual;
      return sum;
    }),
  );
  const covariance = inverted(equations);
  const right = Array.from({ length: size }, (_, a) =>
    y.reduce((sum, value, i) => sum + (at(i, a) * value) / varianceResidual, 0),
  );
  const expected = covariance.map((line) => line.reduce((sum, value, b) => sum + value * right[b], 0));
  expect(posterior.intercept).toBeCloseTo(expected[0], 9);
  posterior.effects.forEach((effect, j) => {
    expect(effect).toBeCloseTo(expected[j + 1], 9);
  });

  const draws = 20_000;
  const sums = new Float64Array(size);
  const products = matrixOf(size, size, new Float64Array(size * size));
  for (let d = 0; d < draws; d++) {
    const drawn = drawEffects(posterior, random);
    const all = [drawn.intercept, ...drawn.effects].map((value, k) => value - expected[k]);
    for (let a = 0; a < size; a++) {
      sums[a] += all[a] / draws;
      for (let b = 0; b < size; b++) products.data[a + b * size] += (all[a] * all[b]) / draws;
    }
  }
  for (let a = 0; a < size; a++) {
    expect(Math.abs(sums[a])).toBeLessThan(4 * Math.sqrt(covariance[a][a] / draws));
    for (let b = 0; b < size; b++) {
      const se = Math.sqrt((covariance[a][a] * covariance[b][b] + covariance[a][b] ** 2) / draws);
      expect(Math.abs(products.data[a + b * size] - covariance[a][b])).toBeLessThan(4.5 * se);
    }
  }
});

/** Gauss–Jordan without pivoting, for a positive definite matrix. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((line, i) => [...line, ...Array.from({ length: size }, (_, j) => Number(i === j))]);
  for (let k = 0; k < size; k++) {
    const pivot = rows[k][k];
    rows[k] = rows[k].map((value) => value / pivot);
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = rows[i][k];
      rows[i] = rows[i].map((value, j) => value - factor * rows[k][j]);
    }
  }
  return rows.map((line) => line.slice(size));
}
