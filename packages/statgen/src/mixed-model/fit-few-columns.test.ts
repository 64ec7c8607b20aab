import { matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { fitFewColumns } from './fit-few-columns.ts';
import { fitReml, reduceKernel } from './fit-reml.ts';

const [N, Q] = [60, 12];

/** Columns with mean zero, of which the last is twice the first, and values with a share of them. */
function simulated(share: number, seed: number) {
  const random = createRandomStream(seed, 'few columns');
  const z = matrixOf(N, Q, new Float64Array(N * Q));
  const y = Float64Array.from({ length: N }, () => 10 + random.normal());
  for (let k = 0; k < Q; k++) {
    const column = z.data.subarray(k * N, (k + 1) * N);
    for (let i = 0; i < N; i++) column[i] = k === Q - 1 ? 2 * z.data[i]! : random.normal();
    const mean = column.reduce((sum, value) => sum + value, 0) / N;
    const effect = share * random.normal();
    for (let i = 0; i < N; i++) {
      column[i]! -= mean;
      y[i]! += effect * column[i]!;
    }
  }
  return { z, y };
}

test.for([0, 0.4, 3])('few columns give the estimates of their kinship, effects of %s', (share) => {
  for (let seed = 1; seed <= 4; seed++) {
    const { z, y } = simulated(share, seed);
    const kinship = matrixOf(N, N, new Float64Array(N * N));
    addOuterProduct(kinship, z);
    const whole = fitReml(reduceKernel(mirrorLower(kinship), matrixOf(N, 1, new Float64Array(N).fill(1))), y);
    const few = fitFewColumns(z, y);
    expect(few.boundary).toBe(whole.boundary);
    for (const name of ['varianceGenetic', 'varianceResidual', 'logLikelihood'] as const) {
      expect(few[name]).toBeCloseTo(whole[name], 7);
    }
    const largest = whole.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
    for (const [i, weight] of whole.weights.entries()) {
      expect(Math.abs(few.weights[i]! - weight)).toBeLessThan(1e-7 * largest);
    }
  }
});

test('where nothing varies all variance is residual', () => {
  const { y } = simulated(0, 1);
  const found = fitFewColumns(matrixOf(N, 0, new Float64Array(0)), y);
  expect(found).toMatchObject({ varianceGenetic: 0, boundary: 'genetic-zero' });
});
