import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { denseReml } from '../mixed-model/dense-reml.test-data.ts';
import { interceptOnly } from '../mixed-model/error-contrasts.ts';
import { fitReml, reduceKernel } from '../mixed-model/fit-reml.ts';
import { heritabilityOf } from '../mixed-model/heritability.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { nullHeritability } from './null-heritability.ts';
import { prepareGwas } from './prepare-gwas.ts';

/** Families of four with a kinship whose mean eigenvalue is not 1, and a trait of which `share` is genetic. */
function families(n: number, share: number): { kinship: Matrix; rows: number[][]; y: Float64Array } {
  const random = createRandomStream(7, 'null-heritability');
  const rows = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (__, j) => (i === j ? 1.8 : i >> 2 === j >> 2 ? 0.9 : 0.1)),
  );
  const kinship = createMatrix(n, n);
  for (const [i, row] of rows.entries()) for (const [j, value] of row.entries()) kinship.data[i + j * n] = value;
  const family = Array.from({ length: Math.ceil(n / 4) }, () => random.normal());
  const y = Float64Array.from(
    { length: n },
    (_, i) => 100 * (share * (2 * family[i >> 2]! + random.normal()) + random.normal()) + 3,
  );
  return { kinship, rows, y };
}

const { kinship, rows, y } = families(60, 0.8);
const state = prepareGwas({ kinship, traits: [y], principalComponents: 0 });
const [model] = state.traits;

test('h² of SCORE, the share explained and both errors are those of the REML fit of training', () => {
  const reduced = reduceKernel(kinship, interceptOnly(60));
  const fit = fitReml(reduced, y);
  const mean = state.contrastEigenvalues.reduce((sum, value) => sum + value, 0) / 59;
  const expected = heritabilityOf(
    { additive: fit.varianceGenetic, dominance: null, residual: fit.varianceResidual },
    { additive: mean },
    fit.covariance,
  );
  const actual = nullHeritability(state, model!, 'SCORE');
  expect(actual.h2).toBeCloseTo(expected.h2, 7);
  expect(actual.kinshipPve).toBeCloseTo(expected.kinshipPve, 7);
  expect(actual.kinshipPve).toBeGreaterThan(actual.h2 + 0.02);
  expect(actual.standardErrors!.h2).toBeCloseTo(expected.standardErrors!.h2, 7);
  expect(actual.standardErrors!.kinshipPve).toBeCloseTo(expected.standardErrors!.kinshipPve, 7);
  // Its variances are again found within 0 … 0.99.
  expect(nullHeritability(state, model!, 'WALD').standardErrors!.h2).toBeCloseTo(expected.standardErrors!.h2, 6);
});

test('the error of LRT comes from the average information at the variances of maximum likelihood', () => {
  const { mlH2: h2 } = model!;
  const trait = [...y];
  const { quadratic } = denseReml([rows], [h2], 1 - h2, trait);
  const total = quadratic / 60;
  const { projection, weights } = denseReml([rows], [h2 * total], (1 - h2) * total, trait);
  const times = (matrix: number[][], v: number[]) => matrix.map((row) => row.reduce((sum, a, j) => sum + a * v[j]!, 0));
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const kPy = times(rows, weights);
  const [gg, ge, ee] = [
    [kPy, kPy],
    [kPy, weights],
    [weights, weights],
  ].map(([a, b]) => 0.5 * dot(a!, times(projection, b!))) as [number, number, number];
  // Var(σ²g/(σ²g + σ²e)) with the gradient (1 − h², −h²)/total.
  const determinant = gg * ee - ge * ge;
  const [a, b] = [(1 - h2) / total, -h2 / total];
  const variance = (a * a * ee - 2 * a * b * ge + b * b * gg) / determinant;
  const actual = nullHeritability(state, model!, 'LRT');
  expect(actual.h2).toBe(h2);
  expect(actual.standardErrors!.h2).toBeCloseTo(Math.sqrt(variance), 8);
});

test('at a bound there is no standard error', () => {
  const random = createRandomStream(3);
  const noise = Float64Array.from({ length: 60 }, (_, i) => (i % 4 < 2 ? 1 : -1) + 1e-3 * random.normal());
  const without = prepareGwas({ kinship, traits: [noise], principalComponents: 0 });
  for (const test of ['SCORE', 'WALD', 'LRT'] as const) {
    expect(nullHeritability(without, without.traits[0]!, test)).toMatchObject({
      h2: 0,
      kinshipPve: 0,
      standardErrors: null,
    });
  }
});
