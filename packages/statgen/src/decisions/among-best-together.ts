import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { normalUpperTail } from '../crossing/normal-distribution.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { amongBest } from './among-best.ts';

export interface SharedProbabilities {
  /** NaN for lines without a value. */
  probabilities: Float64Array;
  /** Three standard errors of the least certain of them; 0 where they are exact. */
  error: number;
}

/** Pairs of draws at a time, whose mean is one of the batches from which the error is estimated. */
const PAIRS = 128;
const LEAST_BATCHES = 16;
const ENOUGH = 1.5e-3;
/** Operations at which no further batch begins: some seconds. */
const MOST_OPERATIONS = 1.5e10;
/** Operations of a pair beside the products, a line. */
const PER_LINE = 150;
/** Added to the variances, as a share of their mean: lines of one genotype have one error, and elements are rounded. */
const RIDGE = 1e-5;
/** Share of the largest variance by which covariances may differ and still count as one. */
const EQUAL = 1e-6;

/**
 * P(each of N lines is among the `count` truly best), for true values that are normal around the predicted ones with
 * any covariance C of the errors. What all errors share moves no line before another: where all covariances are equal
 * it is taken off, and `amongBest` is exact. Otherwise antithetic pairs of draws g = ĝ ± Lε of all lines, and of each
 * line its probability given the others of the draw: normal with the mean g_i − (C⁻¹(g − ĝ))_i/C⁻¹_ii and the variance
 * 1/C⁻¹_ii, against the `count`-th best of the others. Batches follow until three standard errors are below
 * 1.5e-3, or O(N²) a draw has become too long. The same seed gives the same numbers; invariant to the unit.
 *
 * @param values predicted, high is better, length N; NaN: unknown
 * @param covariance of the prediction errors, N × N; rows of unknown values are not read
 * @throws StatgenError `bad-option` for a count below 1; LinalgError `not-positive-definite`
 */
export function amongBestTogether(
  values: Float64Array,
  covariance: Matrix,
  count: number,
  seed: number,
): SharedProbabilities {
  const known = Int32Array.from(values.keys()).filter((i) => Number.isFinite(values[i]));
  const n = known.length;
  const own = selectRowsAndColumns(covariance, known, known);
  const variances = Float64Array.from(known, (_, i) => own.data[i * (n + 1)]);
  const largest = variances.reduce((most, value) => Math.max(most, value), 0);
  const shared = sharedCovariance(own, EQUAL * largest);
  if (n <= count || largest === 0 || shared !== null) {
    const spread = new Float64Array(values.length);
    known.forEach((i, k) => {
      spread[i] = Math.max(0, variances[k] - (shared ?? 0));
    });
    return { probabilities: amongBest(values, spread, count), error: 0 };
  }
  const ridge = (RIDGE * variances.reduce((sum, value) => sum + value, 0)) / n;
  for (let i = 0; i < n; i++) own.data[i * (n + 1)] += ridge;
  const found = byDraws(
    Float64Array.from(known, (i) => values[i]),
    own,
    count,
    seed,
  );
  const probabilities = new Float64Array(values.length).fill(Number.NaN);
  known.forEach((i, k) => {
    probabilities[i] = found.probabilities[k];
  });
  return { probabilities, error: found.error };
}

/** The covariance that all pairs have, within `tolerance`; null where they differ. */
function sharedCovariance({ data, rows: n }: Matrix, tolerance: number): number | null {
  const first = n > 1 ? data[1] : 0;
  for (let j = 0; j < n; j++)
    for (let i = 0; i < j; i++) if (Math.abs(data[i + j * n] - first) > tolerance) return null;
  return first;
}

/** @param covariance becomes its factor */
function byDraws(means: Float64Array, covariance: Matrix, count: number, seed: number): SharedProbabilities {
  const n = means.length;
  const factor: CholeskyFactor = choleskyInPlace(covariance);
  const lower = lowerOf(factor.lower);
  const inverse = choleskyInverseInPlace({ ...factor, lower: matrixOf(n, n, factor.lower.data.slice()) });
  const precisions = Float64Array.from({ length: n }, (_, i) => inverse.data[i * (n + 1)]);
  const roots = precisions.map(Math.sqrt);
  const sums = new Float64Array(n);
  const squares = new Float64Array(n);
  const batch = new Float64Array(n);
  const value = new Float64Array(n);
  const scratch = new Float64Array(n);
  let error = 1;
  let batches = 0;
  while (batches < LEAST_BATCHES || (error > ENOUGH && batches * PAIRS * n * (3 * n + PER_LINE) < MOST_OPERATIONS)) {
    const stream = createRandomStream(seed, 'among best', batches);
    const draws = createMatrix(n, PAIRS);
    for (let k = 0; k < draws.data.length; k++) draws.data[k] = stream.normal();
    const deviations = multiply(lower, draws);
    solveLowerInPlace(factor.lower, draws, { transposed: true });
    batch.fill(0);
    for (let d = 0; d < PAIRS; d++) {
      for (const sign of [1, -1]) {
        for (let i = 0; i < n; i++) value[i] = means[i] + sign * deviations.data[i + d * n];
        const [last, next] = aroundPlace(value, count, scratch);
        for (let i = 0; i < n; i++) {
          // The `count`-th best of the others.
          const threshold = value[i] >= last ? next : last;
          const given = value[i] - (sign * draws.data[i + d * n]) / precisions[i];
          batch[i] += upperTail((threshold - given) * roots[i]);
        }
      }
    }
    batches++;
    error = 0;
    for (let i = 0; i < n; i++) {
      const mean = batch[i] / (2 * PAIRS);
      sums[i] += mean;
      squares[i] += mean * mean;
      const spread = Math.max(0, squares[i] - sums[i] ** 2 / batches) / Math.max(1, batches * (batches - 1));
      error = Math.max(error, 3 * Math.sqrt(spread));
    }
  }
  return { probabilities: sums.map((sum) => sum / batches), error };
}

/** The factor alone, with zeros above its diagonal. */
function lowerOf({ rows: n, data }: Matrix): Matrix {
  const lower = createMatrix(n, n);
  for (let j = 0; j < n; j++) lower.data.set(data.subarray(j * n + j, (j + 1) * n), j * n + j);
  return lower;
}

/** The `count`-th largest value and the one after it (Hoare 1961). */
function aroundPlace(values: Float64Array, count: number, scratch: Float64Array): [number, number] {
  scratch.set(values);
  const place = values.length - count;
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = scratch[(from + to) >> 1];
    let [i, j] = [from, to];
    while (i <= j) {
      while (scratch[i] < pivot) i++;
      while (scratch[j] > pivot) j--;
      if (i > j) break;
      const swapped = scratch[i];
      scratch[i++] = scratch[j];
      scratch[j--] = swapped;
    }
    if (place <= j) to = j;
    else if (place >= i) from = i;
    else break;
  }
  let next = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < place; i++) next = Math.max(next, scratch[i]);
  return [scratch[place], next];
}

const FAR = 8;
/** Points a unit: linear between them, the tail is exact to 1e-5. */
const STEPS = 64;
const TAIL: Float64Array = Float64Array.from({ length: 2 * FAR * STEPS + 2 }, (_, k) =>
  normalUpperTail(k / STEPS - FAR),
);

function upperTail(z: number): number {
  if (!(z > -FAR)) return 1;
  if (z >= FAR) return 0;
  const at = (z + FAR) * STEPS;
  const k = Math.floor(at);
  return TAIL[k] + (at - k) * (TAIL[k + 1] - TAIL[k]);
}
