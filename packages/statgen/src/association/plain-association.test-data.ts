import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { type Eigenpairs, symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';

/**
 * The marker tests written down from their definitions, one marker at a time and without series, as a reference for
 * the fast version. Generalised least squares in the eigenbasis of the kinship, with the fixed effects kept as
 * columns; h² is found by bisecting the derivative of the likelihood, uphill from `start` when there are several
 * maxima.
 *
 * @param start where the search of the null model begins; by default the best point of a grid
 */
export function plainTester(
  kinship: Matrix | Eigenpairs,
  y: Float64Array,
  x: Matrix,
  start?: number,
): (marker: Float64Array) => PlainResult {
  const n = y.length;
  const { values: d, vectors } = 'vectors' in kinship ? kinship : plainBasis(kinship);
  const turn = (columns: Matrix): Matrix => multiply(vectors, columns, { transposeA: true });
  const yr = turn(matrixOf(n, 1, y)).data;
  const xr = turn(x);
  const nullReml = climb(
    (h2) => evaluate(d, yr, xr, h2).remlSlope,
    start ?? bestOfGrid((h2) => evaluate(d, yr, xr, h2).reml),
  );
  const nullMl = climb((h2) => evaluate(d, yr, xr, h2).mlSlope, nullReml);
  const scoreH2 = climb((h2) => evaluate(d, yr, xr, h2).remlSlope, nullReml, LARGEST_SCORE_H2);
  const scoreVariance = evaluate(d, yr, xr, scoreH2).variance;
  return (marker) => {
    const both = createMatrix(n, x.columns + 1);
    both.data.set(xr.data);
    both.data.set(turn(matrixOf(n, 1, marker)).data, n * x.columns);
    const wald = climb((h2) => evaluate(d, yr, both, h2).remlSlope, nullReml);
    const lrt = climb((h2) => evaluate(d, yr, both, h2).mlSlope, nullMl);
    const fit = evaluate(d, yr, both, wald);
    const mlFit = evaluate(d, yr, both, lrt);
    const atNull = evaluate(d, yr, both, scoreH2);
    const se = atNull.se * Math.sqrt(scoreVariance / atNull.variance);
    return {
      score: { h2: scoreH2, beta: atNull.beta, se, statistic: (atNull.beta / se) ** 2 },
      wald: { h2: wald, beta: fit.beta, se: fit.se, statistic: (fit.beta / fit.se) ** 2 },
      lrt: {
        h2: lrt,
        beta: mlFit.beta,
        se: mlFit.se,
        statistic: 2 * (mlFit.ml - evaluate(d, yr, xr, nullMl).ml),
      },
    };
  };
}

/** Eigendecomposes a kinship, for use by several testers. */
export const plainBasis = (kinship: Matrix): Eigenpairs =>
  symmetricEigenInPlace(matrixOf(kinship.rows, kinship.rows, kinship.data.slice()));

interface PlainTest {
  h2: number;
  beta: number;
  se: number;
  statistic: number;
}

/** The tests of one marker. */
export interface PlainResult {
  score: PlainTest;
  wald: PlainTest;
  lrt: PlainTest;
}

const LARGEST_H2 = 0.99;
/** SCORE has no bound; beyond this value 1 − h² is rounding error. */
const LARGEST_SCORE_H2 = 1 - 1e-9;
const GRID = Array.from({ length: 67 }, (_, k) => (LARGEST_H2 * k) / 66);

const bestOfGrid = (value: (h2: number) => number): number =>
  GRID.reduce((best, h2) => (value(h2) > value(best) ? h2 : best));

/** Climbs from `start` to where the derivative changes sign, within 0 … 0.99. */
function climb(slope: (h2: number) => number, start: number, top = LARGEST_H2): number {
  const direction = slope(start) > 0 ? 1 : -1;
  let inside = start;
  let outside = start;
  do {
    inside = outside;
    outside = Math.min(top, Math.max(0, inside + 0.02 * direction));
    if (outside === inside) return outside;
  } while (slope(outside) * direction > 0);
  for (let step = 0; step < 45; step++) {
    const middle = 0.5 * (inside + outside);
    if (slope(middle) * direction > 0) inside = middle;
    else outside = middle;
  }
  return 0.5 * (inside + outside);
}

function evaluate(d: Float64Array, y: Float64Array, x: Matrix, h2: number) {
  const n = y.length;
  const q = x.columns;
  const v = d.map((value) => 1 + h2 * (value - 1));
  const columns = Array.from({ length: q }, (_, j) => x.data.subarray(j * n, (j + 1) * n));
  const cross = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (a[i] * b[i]) / v[i];
    return sum;
  };
  const inverse = invert(columns.map((a) => columns.map((b) => cross(a, b))));
  const right = columns.map((a) => cross(a, y));
  const b = inverse.rows.map((row) => row.reduce((sum, value, j) => sum + value * right[j], 0));
  const residual = y.slice();
  for (let j = 0; j < q; j++) for (let i = 0; i < n; i++) residual[i] -= b[j] * columns[j][i];
  const rss = cross(residual, residual);
  let logDet = 0;
  let traceV = 0;
  let traceP = 0;
  let change = 0;
  for (let i = 0; i < n; i++) {
    const derivative = d[i] - 1;
    let leverage = 0;
    for (let j = 0; j < q; j++)
      for (let k = 0; k < q; k++) leverage += columns[j][i] * inverse.rows[j][k] * columns[k][i];
    logDet += Math.log(v[i]);
    traceV += derivative / v[i];
    traceP += derivative * (1 / v[i] - leverage / v[i] ** 2);
    change += (residual[i] / v[i]) ** 2 * derivative;
  }
  return {
    ml: -0.5 * (logDet + n * Math.log(rss)),
    reml: -0.5 * (logDet + inverse.logDeterminant + (n - q) * Math.log(rss)),
    variance: rss / (n - q),
    mlSlope: -0.5 * (traceV - (n * change) / rss),
    remlSlope: -0.5 * (traceP - ((n - q) * change) / rss),
    beta: b[q - 1],
    se: Math.sqrt((rss / (n - q)) * inverse.rows[q - 1][q - 1]),
  };
}

function invert(matrix: number[][]): { rows: number[][]; logDeterminant: number } {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  let logDeterminant = 0;
  for (let k = 0; k < size; k++) {
    const pivot = rows[k][k];
    logDeterminant += Math.log(pivot);
    rows[k] = rows[k].map((value) => value / pivot);
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = rows[i][k];
      rows[i] = rows[i].map((value, j) => value - factor * rows[k][j]);
    }
  }
  return { rows: rows.map((row) => row.slice(size)), logDeterminant };
}
