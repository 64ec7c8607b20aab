import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { type AdditiveDominanceFit, fitAdditiveDominance } from '../genomic-prediction/additive-dominance.ts';
import { createRrblupModel } from '../genomic-prediction/rrblup.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { denseReml } from './dense-reml.test-data.ts';
import { type Heritability, heritabilityOf } from './heritability.ts';

type Rows = number[][];

/** Dosages of n plants at m markers, with families, and the two kernels by their definitions. */
function population(n: number, m: number, seed: number, inbred = false) {
  const random = createRandomStream(seed, 'heritability');
  const p = Array.from({ length: m }, () => 0.2 + 0.6 * random.uniform());
  const dosages = Array.from({ length: n }, () =>
    p.map((f) => {
      const first = Number(random.uniform() < f);
      return first + (inbred ? first : Number(random.uniform() < f));
    }),
  );
  const frequency = p.map((_, j) => dosages.reduce((sum, row) => sum + (row[j] ?? 0), 0) / (2 * n));
  const kernel = (code: (g: number, f: number) => number, divisor: number): Rows =>
    dosages.map((a) =>
      dosages.map((b) => frequency.reduce((sum, f, j) => sum + code(a[j]!, f) * code(b[j]!, f), 0) / divisor),
    );
  const additive = kernel(
    (g, f) => g - 2 * f,
    frequency.reduce((sum, f) => sum + 2 * f * (1 - f), 0),
  );
  const dominance = kernel(
    (g, f) => [-2 * f * f, 2 * f * (1 - f), -2 * (1 - f) ** 2][g]!,
    frequency.reduce((sum, f) => sum + (2 * f * (1 - f)) ** 2, 0),
  );
  const a = p.map(() => random.normal());
  const d = p.map(() => random.normal());
  const y = dosages.map(
    (row) => 50 + row.reduce((sum, g, j) => sum + g * a[j]! + (g === 1 ? d[j]! : 0), 0) + 4 * random.normal(),
  );
  return { additive, dominance, y };
}

function matrixOfRows(rows: Rows): Matrix {
  const matrix = createMatrix(rows.length, rows.length);
  for (const [i, row] of rows.entries())
    for (const [j, value] of row.entries()) matrix.data[i + j * rows.length] = value;
  return matrix;
}

const times = (rows: Rows, v: readonly number[]): number[] =>
  rows.map((row) => row.reduce((sum, value, j) => sum + value * v[j]!, 0));
const product = (a: Rows, b: Rows): Rows => {
  const columns = b[0]!.map((_, j) => b.map((row) => row[j]!));
  return a.map((row) => columns.map((column) => row.reduce((sum, value, k) => sum + value * column[k]!, 0)));
};
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const identity = (n: number): Rows =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => Number(i === j)));

/** Average information ½(KᵢPy)ᵀP(KⱼPy) as defined, with dense P. */
function denseInformation(kernels: Rows[], variances: readonly number[], residual: number, y: number[]): Rows {
  const { projection, weights } = denseReml(kernels, variances, residual, y);
  const images = [...kernels, identity(y.length)].map((kernel) => times(kernel, weights));
  return images.map((image) => images.map((other) => 0.5 * dot(image, times(projection, other))));
}

/** Mean eigenvalue of a kernel among the contrasts of a mean: trace of CKC over n − 1. */
function meanEigenvalue(kernel: Rows): number {
  const n = kernel.length;
  const trace = kernel.reduce((sum, row, i) => sum + row[i]!, 0);
  return (trace - kernel.flat().reduce((sum, value) => sum + value, 0) / n) / (n - 1);
}

/** Inverse of a 2 × 2 or 3 × 3 matrix by cofactors. */
function inverse(matrix: Rows): Rows {
  const size = matrix.length;
  const minor = (i: number, j: number) => matrix.filter((_, k) => k !== i).map((row) => row.filter((_, l) => l !== j));
  const determinant = (rows: Rows): number =>
    rows.length === 1
      ? rows[0]![0]!
      : rows[0]!.reduce(
          (sum, value, j) =>
            sum + (j % 2 ? -1 : 1) * value * determinant(rows.slice(1).map((row) => row.filter((_, l) => l !== j))),
          0,
        );
  const whole = determinant(matrix);
  return Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (__, j) => (((i + j) % 2 ? -1 : 1) * determinant(minor(j, i))) / whole),
  );
}

/** Standard error of f(θ) by the delta method with a numerical gradient. */
function deltaError(f: (theta: number[]) => number, theta: number[], covariance: Rows): number {
  const gradient = theta.map((value, k) => {
    const h = 1e-5 * value;
    const at = (shift: number) => f(theta.map((other, l) => (l === k ? other + shift : other)));
    return (at(h) - at(-h)) / (2 * h);
  });
  return Math.sqrt(gradient.reduce((sum, g, k) => sum + g * dot(covariance[k]!, gradient), 0));
}

const relative = (value: number, reference: number) => Math.abs(value / reference - 1);
/**
 * Of the variances: the searches stop at 1e-8 of log δ and 1e-9 of a variance, and errors follow them in first order.
 */
const TOLERANCE = 1e-6;

test.each([
  { n: 40, m: 60, seed: 1, inbred: true },
  { n: 55, m: 30, seed: 2, inbred: false },
  { n: 30, m: 120, seed: 6, inbred: true },
])('one kinship: ratios and standard errors equal their dense definition (%o)', ({ n, m, seed, inbred }) => {
  const { additive, y } = population(n, m, seed, inbred);
  const fit = createRrblupModel(matrixOfRows(additive)).fit(Float64Array.from(y));
  expect(fit.boundary).toBe('none');
  const theta = [fit.varianceAdditive, fit.varianceResidual];
  const covariance = inverse(denseInformation([additive], [theta[0]!], theta[1]!, y));
  const k = meanEigenvalue(additive);
  const h2 = ([a, e]: number[]) => a! / (a! + e!);
  const pve = ([a, e]: number[]) => (a! * k) / (a! * k + e!);
  const { heritability } = fit;
  const errors = heritability.standardErrors!;
  expect(relative(heritability.h2, h2(theta))).toBeLessThan(1e-14);
  expect(heritability.H2).toBe(heritability.h2);
  expect(relative(heritability.kinshipPve, pve(theta))).toBeLessThan(1e-12);
  expect(heritability.dominancePve).toBeNull();
  expect(relative(errors.additive, Math.sqrt(covariance[0]![0]!))).toBeLessThan(TOLERANCE);
  expect(relative(errors.residual, Math.sqrt(covariance[1]![1]!))).toBeLessThan(TOLERANCE);
  expect(relative(errors.h2, deltaError(h2, theta, covariance))).toBeLessThan(TOLERANCE);
  expect(relative(errors.H2, errors.h2)).toBeLessThan(1e-14);
  expect(relative(errors.kinshipPve, deltaError(pve, theta, covariance))).toBeLessThan(TOLERANCE);
});

const fitBoth = (additive: Rows, dominance: Rows, y: readonly number[]): AdditiveDominanceFit =>
  fitAdditiveDominance({
    additive: matrixOfRows(additive),
    dominance: matrixOfRows(dominance),
    y: Float64Array.from(y),
  });

test.each([12, 13, 15])('two kinships: ratios and standard errors equal their dense definition (seed %i)', (seed) => {
  const { additive, dominance, y } = population(60, 25, seed);
  const fit = fitBoth(additive, dominance, y);
  expect(fit.boundary).toEqual([]);
  const theta = [fit.varianceAdditive, fit.varianceDominance, fit.varianceResidual];
  const covariance = inverse(denseInformation([additive, dominance], theta.slice(0, 2), theta[2]!, y));
  const means = [meanEigenvalue(additive), meanEigenvalue(dominance), 1];
  const share = (chosen: number[], weights: number[]) => (values: number[]) =>
    chosen.reduce((sum, k) => sum + weights[k]! * values[k]!, 0) / dot(weights, values);
  const ones = [1, 1, 1];
  const { standardErrors, ...values } = fit.heritability;
  const ratios: [keyof typeof values, (values: number[]) => number][] = [
    ['h2', share([0], ones)],
    ['H2', share([0, 1], ones)],
    ['kinshipPve', share([0], means)],
    ['dominancePve', share([1], means)],
  ];
  for (const [name, ratio] of ratios) {
    expect(relative(values[name]!, ratio(theta))).toBeLessThan(1e-12);
    expect(relative(standardErrors![name]!, deltaError(ratio, theta, covariance))).toBeLessThan(TOLERANCE);
  }
  for (const [k, name] of (['additive', 'dominance', 'residual'] as const).entries()) {
    expect(relative(standardErrors![name]!, Math.sqrt(covariance[k]![k]!))).toBeLessThan(TOLERANCE);
  }
});

test('the average information is the mean of observed and expected information, by second differences of the likelihood', () => {
  const { additive, y } = population(30, 40, 5, true);
  const fit = createRrblupModel(matrixOfRows(additive)).fit(Float64Array.from(y));
  const theta = [fit.varianceAdditive, fit.varianceResidual];
  const { projection } = denseReml([additive], [theta[0]!], theta[1]!, y);
  const parts = [additive, identity(y.length)].map((kernel) => product(projection, kernel));
  const trace = (a: Rows, b: Rows) =>
    a.reduce((sum, row, i) => sum + row.reduce((part, value, j) => part + value * b[j]![i]!, 0), 0);
  const expected = parts.map((a) => parts.map((b) => 0.5 * trace(a, b)));
  const at = (steps: number[]): number => {
    const [a, e] = theta.map((value, k) => value * (1 + 2e-3 * (steps[k] ?? 0)));
    return denseReml([additive], [a!], e!, y).logLikelihood;
  };
  const h = theta.map((value) => 2e-3 * value);
  // Differences of fourth order.
  const second = (k: number) => {
    const along = (step: number) => at(k === 0 ? [step, 0] : [0, step]);
    return (-along(2) + 16 * along(1) - 30 * along(0) + 16 * along(-1) - along(-2)) / (12 * h[k]! ** 2);
  };
  const weight = [1, -8, 0, 8, -1];
  let mixed = 0;
  for (const [i, one] of weight.entries())
    for (const [j, other] of weight.entries()) if (one * other !== 0) mixed += one * other * at([i - 2, j - 2]);
  mixed /= 144 * h[0]! * h[1]!;
  const observed = [
    [-second(0), -mixed],
    [-mixed, -second(1)],
  ];
  const dense = denseInformation([additive], [theta[0]!], theta[1]!, y);
  for (const k of [0, 1])
    for (const l of [0, 1]) {
      const mean = 0.5 * (observed[k]![l]! + expected[k]![l]!);
      expect(Math.abs(mean - dense[k]![l]!) / Math.sqrt(dense[k]![k]! * dense[l]![l]!)).toBeLessThan(1e-6);
    }
});

const numbersOf = ({ standardErrors, ...values }: Heritability): number[] =>
  [...Object.values(values), standardErrors!.h2, standardErrors!.H2, standardErrors!.kinshipPve].map(Number);

test('ratios and their errors do not depend on the unit or the origin of the trait; those of the components scale', () => {
  const { additive, dominance, y } = population(60, 25, 12);
  const one = createRrblupModel(matrixOfRows(additive));
  const base = one.fit(Float64Array.from(y)).heritability;
  const baseBoth = fitBoth(additive, dominance, y).heritability;
  expect([base.standardErrors, baseBoth.standardErrors]).not.toContain(null);
  for (const [scale, shift, tolerance] of [
    [1e100, 0, 1e-7],
    [1e-100, 0, 1e-7],
    [-3, 1000, 1e-7],
  ] as const) {
    const changed = y.map((value) => scale * value + shift);
    const found = one.fit(Float64Array.from(changed)).heritability;
    for (const [k, value] of numbersOf(found).entries())
      expect(Math.abs(value - numbersOf(base)[k]!)).toBeLessThan(tolerance);
    expect(relative(found.standardErrors!.additive / scale / scale, base.standardErrors!.additive)).toBeLessThan(1e-6);
    const both = fitBoth(additive, dominance, changed).heritability;
    for (const [k, value] of numbersOf(both).entries())
      expect(Math.abs(value - numbersOf(baseBoth)[k]!)).toBeLessThan(1e-6);
  }
});

test('at a boundary there are no standard errors', () => {
  const { additive } = population(30, 40, 7, true);
  const random = createRandomStream(8, 'noise');
  const model = createRrblupModel(matrixOfRows(additive));
  let boundaries = 0;
  for (let trial = 0; trial < 12; trial++) {
    const fit = model.fit(Float64Array.from({ length: 30 }, () => random.normal()));
    expect(fit.heritability.standardErrors === null).toBe(fit.boundary !== 'none');
    if (fit.boundary === 'genetic-zero') {
      boundaries++;
      expect(fit.heritability).toEqual({ h2: 0, H2: 0, kinshipPve: 0, dominancePve: null, standardErrors: null });
    }
  }
  expect(boundaries).toBeGreaterThan(0);
  expect(heritabilityOf({ additive: 2, dominance: null, residual: 0 }, { additive: 1.9 }, null)).toMatchObject({
    h2: 1,
    kinshipPve: 1,
  });
});
