import { choleskyInPlace, choleskyLogDeterminant, choleskySolveInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { contrastsOf, createErrorContrasts, fromContrasts, interceptOnly, projectKernel } from './error-contrasts.ts';
import { fitReml, reduceKernel } from './fit-reml.ts';

function randomMatrix(rows: number, columns: number, seed: number): Matrix {
  const random = createRandomStream(seed, 'matrix');
  const matrix = createMatrix(rows, columns);
  for (let i = 0; i < matrix.data.length; i++) matrix.data[i] = random.normal();
  return matrix;
}

/** K = ZZᵀ/m and a trait y = Zu + noise. */
function simulate(n: number, m: number, noise: number, seed: number): { kinship: Matrix; y: Float64Array } {
  const z = randomMatrix(n, m, seed);
  const kinship = createMatrix(n, n);
  addOuterProduct(kinship, z, 1 / m);
  mirrorLower(kinship);
  const random = createRandomStream(seed, 'trait');
  const u = Float64Array.from({ length: m }, () => random.normal());
  const y = multiply(z, matrixOf(m, 1, u)).data;
  for (let i = 0; i < n; i++) y[i] += noise * random.normal();
  return { kinship, y };
}

/** REML log-likelihood as it is defined, from dense matrices: −½(log|V| + log|XᵀV⁻¹X| − log|XᵀX| + yᵀPy + ν log 2π). */
function definedLikelihood(kinship: Matrix, x: Matrix, y: Float64Array, genetic: number, residual: number): number {
  const n = y.length;
  const v = matrixOf(
    n,
    n,
    kinship.data.map((value) => genetic * value),
  );
  for (let i = 0; i < n; i++) v.data[i + i * n] += residual;
  const factor = choleskyInPlace(v);
  const vx = matrixOf(n, x.columns, x.data.slice());
  choleskySolveInPlace(factor, vx);
  const vy = matrixOf(n, 1, y.slice());
  choleskySolveInPlace(factor, vy);
  const xvx = choleskyInPlace(multiply(x, vx, { transposeA: true }));
  const xx = choleskyInPlace(multiply(x, x, { transposeA: true }));
  const right = multiply(x, vy, { transposeA: true });
  const b = matrixOf(x.columns, 1, right.data.slice());
  choleskySolveInPlace(xvx, b);
  const quadratic =
    y.reduce((sum, value, i) => sum + value * vy.data[i], 0) -
    right.data.reduce((sum, value, i) => sum + value * b.data[i], 0);
  const logs = choleskyLogDeterminant(factor) + choleskyLogDeterminant(xvx) - choleskyLogDeterminant(xx);
  return -0.5 * (logs + quadratic + (n - x.columns) * Math.log(2 * Math.PI));
}

test('error contrasts are orthonormal and free of the fixed effects', () => {
  const n = 17;
  const x = randomMatrix(n, 3, 1);
  const contrasts = createErrorContrasts(x);
  const identity = createMatrix(n - 3, n - 3);
  for (let i = 0; i < n - 3; i++) identity.data[i * (n - 2)] = 1;
  const basis = fromContrasts(contrasts, identity);
  const gram = multiply(basis, basis, { transposeA: true });
  gram.data.forEach((value, i) => expect(value).toBeCloseTo(identity.data[i], 12));
  for (const value of multiply(basis, x, { transposeA: true }).data) expect(value).toBeCloseTo(0, 12);
  const m = randomMatrix(n, 2, 2);
  const direct = multiply(basis, m, { transposeA: true });
  contrastsOf(contrasts, m).data.forEach((value, i) => expect(value).toBeCloseTo(direct.data[i], 12));
  const { kinship } = simulate(n, 9, 1, 3);
  const projected = mirrorLower(projectKernel(contrasts, kinship));
  const expected = multiply(basis, multiply(kinship, basis), { transposeA: true });
  projected.data.forEach((value, i) => expect(value).toBeCloseTo(expected.data[i], 12));
});

test('the likelihood reported is the one defined, and no variances nearby are better', () => {
  const { kinship, y } = simulate(40, 30, 4, 4);
  const x = matrixOf(40, 2, Float64Array.from([...interceptOnly(40).data, ...randomMatrix(40, 1, 5).data]));
  const fit = fitReml(reduceKernel(kinship, x), y);
  expect(fit.boundary).toBe('none');
  const at = (genetic: number, residual: number) => definedLikelihood(kinship, x, y, genetic, residual);
  expect(fit.logLikelihood).toBeCloseTo(at(fit.varianceGenetic, fit.varianceResidual), 9);
  for (const [g, e] of [
    [1.001, 1],
    [0.999, 1],
    [1, 1.001],
    [1, 0.999],
    [3, 0.5],
    [0.2, 2],
  ]) {
    expect(at(g * fit.varianceGenetic, e * fit.varianceResidual)).toBeLessThan(fit.logLikelihood);
  }
  // Py from its definition V⁻¹(y − Xb̂): orthogonal to X, and V·Py + Xb̂ = y.
  const xtPy = multiply(x, matrixOf(40, 1, fit.weights), { transposeA: true }).data;
  for (const value of xtPy) expect(value).toBeCloseTo(0, 10);
});

test('the fit scales with the trait and does not see a shift', () => {
  const { kinship, y } = simulate(50, 60, 5, 6);
  const reduced = reduceKernel(kinship, interceptOnly(50));
  const plain = fitReml(reduced, y);
  const turned = fitReml(
    reduced,
    y.map((value) => 1000 * value + 7),
  );
  expect(turned.varianceGenetic / plain.varianceGenetic).toBeCloseTo(1e6, 2);
  expect(turned.delta / plain.delta).toBeCloseTo(1, 9);
  const far = fitReml(
    reduced,
    y.map((value) => value + 1e6),
  );
  expect(far.delta / plain.delta).toBeCloseTo(1, 6);
});

test('a trait of noise alone ends at a genetic variance of 0, with the likelihood of that model', () => {
  const { kinship } = simulate(60, 200, 1, 7);
  const random = createRandomStream(8);
  const fits = Array.from({ length: 12 }, () => {
    const y = Float64Array.from({ length: 60 }, () => random.normal());
    return { y, fit: fitReml(reduceKernel(kinship, interceptOnly(60)), y) };
  });
  const atZero = fits.filter(({ fit }) => fit.boundary === 'genetic-zero');
  expect(atZero.length).toBeGreaterThan(2);
  for (const { y, fit } of atZero) {
    const mean = y.reduce((sum, value) => sum + value, 0) / 60;
    expect(fit.varianceGenetic).toBe(0);
    expect(fit.varianceResidual).toBeCloseTo(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 59, 12);
    fit.weights.forEach((value, i) => expect(value).toBeCloseTo((y[i] - mean) / fit.varianceResidual, 10));
  }
});

test('a trait without noise ends at a residual variance of 0, also with a singular kinship', () => {
  for (const markers of [80, 20]) {
    const { kinship, y } = simulate(40, markers, 0, 9);
    const fit = fitReml(reduceKernel(kinship, interceptOnly(40)), y);
    expect(fit.varianceResidual / fit.varianceGenetic).toBeLessThan(1e-6);
    expect(fit.weights.every(Number.isFinite)).toBe(true);
  }
});

test('identical individuals, and more individuals than markers, are no obstacle', () => {
  const { kinship, y } = simulate(30, 5, 1, 10);
  const twice = createMatrix(60, 60);
  for (let j = 0; j < 60; j++)
    for (let i = 0; i < 60; i++) twice.data[i + j * 60] = kinship.data[(i % 30) + (j % 30) * 30];
  const random = createRandomStream(11);
  const both = Float64Array.from({ length: 60 }, (_, i) => y[i % 30] + random.normal());
  const fit = fitReml(reduceKernel(twice, interceptOnly(60)), both);
  expect(fit.boundary).toBe('none');
  const expected = definedLikelihood(twice, interceptOnly(60), both, fit.varianceGenetic, fit.varianceResidual);
  expect(fit.logLikelihood).toBeCloseTo(expected, 8);
});

test('what cannot be fitted is refused with a code', () => {
  const { kinship, y } = simulate(20, 30, 1, 12);
  const reduced = reduceKernel(kinship, interceptOnly(20));
  const code = (name: string) => expect.objectContaining({ code: name });
  expect(() => fitReml(reduced, new Float64Array(20).fill(0.1 + 0.2))).toThrow(code('constant-trait'));
  expect(() =>
    fitReml(
      reduced,
      y.map((value, i) => (i === 0 ? Number.POSITIVE_INFINITY : value)),
    ),
  ).toThrow(code('not-finite'));
  const huge = y.map((value, i) => (i === 0 ? 1e308 : value));
  expect(() => fitReml(reduced, huge)).toThrow(code('not-finite'));
  expect(() => fitReml(reduced, y.subarray(1))).toThrow(code('shape-mismatch'));
  const small = simulate(9, 30, 1, 13);
  expect(() => reduceKernel(small.kinship, interceptOnly(9))).toThrow(code('too-few-individuals'));
  const collinear = matrixOf(20, 2, new Float64Array(40).fill(1));
  expect(() => reduceKernel(kinship, collinear)).toThrow(code('collinear-fixed-effects'));
  const withTrait = matrixOf(20, 2, Float64Array.from([...new Float64Array(20).fill(1), ...y]));
  expect(() => fitReml(reduceKernel(kinship, withTrait), y)).toThrow(code('constant-trait'));
});

test('unrelated individuals without structure leave nothing to divide: the genetic variance is 0', () => {
  const kinship = createMatrix(20, 20);
  const { y } = simulate(20, 30, 1, 14);
  expect(fitReml(reduceKernel(kinship, interceptOnly(20)), y).boundary).toBe('genetic-zero');
});
