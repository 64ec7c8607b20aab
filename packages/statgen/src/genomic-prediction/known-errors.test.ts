import { createMatrix, type Matrix, matrixOf, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { fitKnownErrors } from '../mixed-model/fit-known-errors.ts';
import { fitReml, reduceKernel } from '../mixed-model/fit-reml.ts';
import type { ErrorCovariance } from '../mixed-model/whitening.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { fitAdditiveDominance } from './additive-dominance.ts';
import type { FixedModel } from './fixed-effects.ts';
import { type KnownErrorModel, type KnownErrorPrediction, predictWithKnownErrors } from './known-errors.ts';
import { createRrblupModel } from './rrblup.ts';

const SIZE = 40;
const MARKERS = 60;

/** Kinships of 40 individuals, two covariates, and a trait of the first 34 of them. */
function simulate(seed: number) {
  const random = createRandomStream(seed, 'known errors');
  const additive = createMatrix(SIZE, MARKERS);
  const dominance = createMatrix(SIZE, MARKERS);
  const y = new Float64Array(SIZE);
  for (let j = 0; j < MARKERS; j++) {
    const effect = random.normal();
    for (let i = 0; i < SIZE; i++) {
      const dosage = Math.floor(3 * random.uniform());
      additive.data[i + j * SIZE] = dosage - 1;
      dominance.data[i + j * SIZE] = Number(dosage === 1) - 0.4;
      y[i] += effect * (dosage - 1) + 0.5 * effect * Number(dosage === 1);
    }
  }
  const kernel = (z: Matrix): Matrix => multiply(z, z, { transposeB: true, alpha: 1 / MARKERS });
  const covariates = [0, 1].map(() => Float64Array.from({ length: SIZE }, () => random.normal()));
  for (let i = 0; i < SIZE; i++) y[i] = i < 34 ? y[i] + 3 * covariates[0][i] + 4 * random.normal() : Number.NaN;
  const fixed: FixedModel = { terms: covariates.map((values) => ({ values, isFactor: false })), components: null };
  return { additive: kernel(additive), dominance: kernel(dominance), y, fixed, random };
}

const independent = (variances: Float64Array, residualLines: boolean): KnownErrorModel['errors'] => ({
  among: (individuals) => Float64Array.from(individuals, (i) => variances[i]),
  residualLines,
});

/** Of the largest value. */
function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const largest = Math.max(...Array.from(b, Math.abs), 1e-300);
  return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]) / largest));
}

test.each([1, 2, 3])('equal errors, known or with residual lines, give the model without errors (%i)', (seed) => {
  const { additive, y, fixed } = simulate(seed);
  const plain = createRrblupModel(additive, fixed).fit(y);
  expect(plain.boundary).toBe('none');
  for (const [share, residualLines] of [
    [1, false],
    [0.4, true],
  ] as const) {
    const variances = new Float64Array(SIZE).fill(share * plain.varianceResidual);
    const found = predictWithKnownErrors({
      additive,
      dominance: null,
      y,
      fixed,
      errors: independent(variances, residualLines),
    });
    expect(relativeError([found.varianceAdditive], [plain.varianceAdditive])).toBeLessThan(1e-10);
    expect(relativeError([found.varianceResidual], [plain.varianceResidual])).toBeLessThan(1e-10);
    expect(found.logLikelihood).toBeCloseTo(plain.logLikelihood, 9);
    expect(relativeError(found.breedingValue, plain.gebv)).toBeLessThan(1e-10);
    expect(relativeError(found.reliability, plain.reliability)).toBeLessThan(1e-10);
    expect(relativeError(found.weights, plain.weights)).toBeLessThan(1e-10);
    for (const [k, effect] of found.fixed.entries()) {
      expect(relativeError([effect.estimate], [plain.fixed[k].estimate])).toBeLessThan(1e-10);
      expect(relativeError([effect.standardError], [plain.fixed[k].standardError])).toBeLessThan(1e-10);
    }
    const { h2, kinshipPve } = found.heritability;
    expect(relativeError([h2, kinshipPve], [plain.heritability.h2, plain.heritability.kinshipPve])).toBeLessThan(1e-10);
    if (!residualLines) continue;
    const [errors, plainErrors] = [found.heritability.standardErrors, plain.heritability.standardErrors];
    expect(
      relativeError([errors?.h2 ?? 0, errors?.residual ?? 0], [plainErrors?.h2 ?? 1, plainErrors?.residual ?? 1]),
    ).toBeLessThan(1e-8);
  }
});

test('with dominance equal errors give the model without errors', () => {
  const { additive, dominance, y, fixed } = simulate(6);
  const plain = fitAdditiveDominance({ additive, dominance, y, fixed });
  expect(plain.boundary).toEqual([]);
  const variances = new Float64Array(SIZE).fill(0.5 * plain.varianceResidual);
  const found = predictWithKnownErrors({ additive, dominance, y, fixed, errors: independent(variances, true) });
  // The search of two kernels ends at a relative step of 1e-6 or so of the variances.
  expect(found.logLikelihood).toBeCloseTo(plain.logLikelihood, 8);
  expect(relativeError(found.breedingValue, plain.breedingValue)).toBeLessThan(1e-5);
  expect(relativeError(found.genotypic?.value ?? [], plain.genotypicValue)).toBeLessThan(1e-5);
  expect(relativeError(found.genotypic?.reliability ?? [], plain.genotypicReliability)).toBeLessThan(1e-4);
});

test('plots and their weighted means give the same genetic variance and breeding values', () => {
  const { additive, y, random } = simulate(7);
  const lines = Int32Array.from({ length: 34 }, (_, i) => i);
  const replicates = Array.from(lines, (i) => 1 + (i % 4));
  const rows = Int32Array.from(Array.from(lines).flatMap((i) => Array.from({ length: replicates[i] }, () => i)));
  const values = Float64Array.from(rows, (i) => y[i] + 3 * random.normal());
  const ones = matrixOf(rows.length, 1, new Float64Array(rows.length).fill(1));
  const ofPlots = fitReml(reduceKernel(selectRowsAndColumns(additive, rows, rows), ones), values);
  expect(ofPlots.boundary).toBe('none');
  const means = new Float64Array(SIZE).fill(Number.NaN);
  const variances = new Float64Array(SIZE);
  let within = 0;
  for (const i of lines) {
    const own = [...values].filter((_, k) => rows[k] === i);
    means[i] = own.reduce((sum, value) => sum + value, 0) / own.length;
    variances[i] = ofPlots.varianceResidual / own.length;
    const square = own.reduce((sum, value) => sum + (value - means[i]) ** 2, 0) / ofPlots.varianceResidual;
    within -=
      0.5 * ((own.length - 1) * Math.log(2 * Math.PI * ofPlots.varianceResidual) + square + Math.log(own.length));
  }
  const found = predictWithKnownErrors({ additive, dominance: null, y: means, errors: independent(variances, false) });
  expect(relativeError([found.varianceAdditive], [ofPlots.varianceGenetic])).toBeLessThan(1e-10);
  const genetic = multiply(
    selectRowsAndColumns(
      additive,
      Int32Array.from({ length: SIZE }, (_, i) => i),
      rows,
    ),
    matrixOf(rows.length, 1, ofPlots.weights),
  );
  const differences = Float64Array.from(found.breedingValue, (value) => value - found.mean);
  expect(
    relativeError(
      differences,
      genetic.data.map((value) => value * ofPlots.varianceGenetic),
    ),
  ).toBeLessThan(1e-10);
  // Contrasts are scaled by |X'X|: that of the plots counts each plot.
  const volume = 0.5 * (Math.log(rows.length) - Math.log(lines.length));
  expect(found.logLikelihood + within + volume).toBeCloseTo(ofPlots.logLikelihood, 8);
});

/** A dense covariance of errors, and the variances of the model at which its likelihood is wanted. */
function denseLogLikelihood(
  k: Matrix,
  omega: Matrix,
  x: Matrix,
  y: Float64Array,
  variances: readonly number[],
): number {
  const n = y.length;
  const v = Array.from({ length: n }, (_, i) =>
    Array.from(
      { length: n },
      (_, j) => variances[0] * k.data[i + j * n] + omega.data[i + j * n] + (i === j ? (variances[1] ?? 0) : 0),
    ),
  );
  const columns = [y, ...Array.from({ length: x.columns }, (_, c) => x.data.subarray(c * n, (c + 1) * n))];
  let logDeterminant = 0;
  const solved = columns.map((column) => [...column]);
  for (let j = 0; j < n; j++) {
    logDeterminant += Math.log(v[j][j]);
    for (let i = j + 1; i < n; i++) {
      const factor = v[i][j] / v[j][j];
      for (let l = j; l < n; l++) v[i][l] -= factor * v[j][l];
      for (const column of solved) column[i] -= factor * column[j];
    }
  }
  for (const column of solved) {
    for (let i = n - 1; i >= 0; i--) {
      for (let l = i + 1; l < n; l++) column[i] -= v[i][l] * column[l];
      column[i] /= v[i][i];
    }
  }
  const product = (a: ArrayLike<number>, b: readonly number[]) => b.reduce((sum, value, i) => sum + value * a[i], 0);
  const [viy, ...vix] = solved;
  const xs = columns.slice(1);
  const small = (of: readonly (readonly number[])[]) => xs.map((a) => of.map((b) => product(a, b)));
  const determinantOf = (matrix: number[][]): number => {
    let log = 0;
    for (let j = 0; j < matrix.length; j++) {
      log += Math.log(matrix[j][j]);
      for (let i = j + 1; i < matrix.length; i++) {
        const factor = matrix[i][j] / matrix[j][j];
        for (let l = j; l < matrix.length; l++) matrix[i][l] -= factor * matrix[j][l];
      }
    }
    return log;
  };
  const c = xs.length;
  // yᵀPy as the last pivot of the bordered matrix.
  const bordered = [...xs, y].map((a) => [...vix, viy].map((b) => product(a, b)));
  for (let j = 0; j < c; j++) {
    for (let i = j + 1; i <= c; i++) {
      const factor = bordered[i][j] / bordered[j][j];
      for (let l = j; l <= c; l++) bordered[i][l] -= factor * bordered[j][l];
    }
  }
  const quadratic = bordered[c][c];
  const ofX = determinantOf(small(xs.map((column) => [...column])));
  return -0.5 * ((n - c) * Math.log(2 * Math.PI) + logDeterminant + determinantOf(small(vix)) - ofX + quadratic);
}

/** Ω of correlated errors: blocks, and standard errors of their own. */
function correlatedErrors(random: ReturnType<typeof createRandomStream>, n: number): Matrix {
  const omega = createMatrix(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) omega.data[i + j * n] = i % 5 === j % 5 ? 2 : 0.4;
    omega.data[i * (n + 1)] += 1 + 12 * random.uniform();
  }
  return omega;
}

test.each([11, 12, 13, 14])('the likelihood is that of the dense definition, and at its maximum (%i)', (seed) => {
  const { additive, y, fixed, random } = simulate(seed);
  const observed = Int32Array.from({ length: 34 }, (_, i) => i);
  const kernel = selectRowsAndColumns(additive, observed, observed);
  const omega = correlatedErrors(random, 34);
  const x = createMatrix(34, 3);
  for (const i of observed)
    [1, fixed.terms[0].values[i], fixed.terms[1].values[i]].forEach((value, c) => (x.data[i + c * 34] = value));
  const seen = y.slice(0, 34);
  for (const residualLines of [false, true]) {
    const fit = fitKnownErrors({ kernels: [kernel], omega, residualLines, x, y: seen });
    const lines = fit.residualLines?.value ?? 0;
    const at = (scale: number, more: number) =>
      denseLogLikelihood(kernel, omega, x, seen, [fit.variances[0] * scale, lines + more]);
    expect(fit.logLikelihood).toBeCloseTo(at(1, 0), 9);
    // Small enough for the third derivative not to matter.
    const step = 1e-4;
    expect(Math.abs(at(1 + step, 0) - at(1 - step, 0))).toBeLessThan(1e-9);
    if (residualLines && lines > 0) expect(Math.abs(at(1, step) - at(1, -step))).toBeLessThan(1e-9);
    else if (residualLines) expect(at(1, step)).toBeLessThan(at(1, 0));
  }
});

const figures = ({ varianceAdditive, varianceResidual, mean }: KnownErrorPrediction) => [
  varianceAdditive,
  varianceResidual,
  mean,
];

function predict(
  model: Omit<KnownErrorModel, 'errors' | 'dominance'>,
  omega: (individuals: Int32Array) => ErrorCovariance,
) {
  return predictWithKnownErrors({ ...model, dominance: null, errors: { among: omega, residualLines: true } });
}

test('scaling, permuting, a variance as a matrix, and a line with a very large error change nothing else', () => {
  const { additive, y, random } = simulate(21);
  const omega = correlatedErrors(random, SIZE);
  const among = (individuals: Int32Array) => selectRowsAndColumns(omega, individuals, individuals);
  const found = predict({ additive, y }, among);
  const scaled = predict({ additive, y: y.map((value) => 1e6 * value + 1e3) }, (some) => {
    const { rows, columns, data } = among(some);
    return matrixOf(
      rows,
      columns,
      data.map((value) => 1e12 * value),
    );
  });
  expect(
    relativeError(
      scaled.breedingValue,
      found.breedingValue.map((value) => 1e6 * value + 1e3),
    ),
  ).toBeLessThan(1e-9);
  const order = random.shuffle(Int32Array.from({ length: SIZE }, (_, i) => i));
  const permuted = predict(
    { additive: selectRowsAndColumns(additive, order, order), y: Float64Array.from(order, (i) => y[i]) },
    (some) => among(some.map((i) => order[i])),
  );
  expect(
    relativeError(
      permuted.breedingValue,
      Float64Array.from(order, (i) => found.breedingValue[i]),
    ),
  ).toBeLessThan(1e-9);
  expect(relativeError(figures(permuted), figures(found))).toBeLessThan(1e-9);
  const variances = Float64Array.from({ length: SIZE }, () => 1 + 9 * random.uniform());
  const asVector = predict({ additive, y }, (some) => Float64Array.from(some, (i) => variances[i]));
  const asMatrix = predict({ additive, y }, (some) => {
    const matrix = createMatrix(some.length, some.length);
    for (const [k, i] of some.entries()) matrix.data[k * (some.length + 1)] = variances[i];
    return matrix;
  });
  expect(relativeError(asVector.breedingValue, asMatrix.breedingValue)).toBeLessThan(1e-12);
  const without = predict({ additive, y: y.map((value, i) => (i === 3 ? Number.NaN : value)) }, (some) =>
    Float64Array.from(some, (i) => variances[i]),
  );
  const unknown = predict({ additive, y }, (some) => Float64Array.from(some, (i) => (i === 3 ? 1e16 : variances[i])));
  expect(relativeError(unknown.breedingValue, without.breedingValue)).toBeLessThan(1e-8);
  expect(relativeError(unknown.reliability, without.reliability)).toBeLessThan(1e-8);
  expect(relativeError([unknown.varianceAdditive], [without.varianceAdditive])).toBeLessThan(1e-7);
});

test('errors that are not positive definite are named', () => {
  const { additive, y } = simulate(22);
  const refused = (omega: ErrorCovariance) => {
    try {
      predictWithKnownErrors({ additive, dominance: null, y, errors: { among: () => omega, residualLines: false } });
    } catch (error) {
      return error instanceof StatgenError ? [error.code, error.details.place] : error;
    }
    return null;
  };
  const zero = new Float64Array(34).fill(1);
  zero[5] = 0;
  expect(refused(zero)).toEqual(['errors-not-positive-definite', 5]);
  expect(refused(matrixOf(34, 34, new Float64Array(34 * 34).fill(1)))).toEqual(['errors-not-positive-definite', 1]);
});
