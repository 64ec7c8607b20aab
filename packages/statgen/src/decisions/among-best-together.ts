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
import { RegressionOnControls } from './regression-on-controls.ts';
import { thresholdLine } from './threshold-line.ts';

export interface SharedProbabilities {
  /** NaN for lines without a value. */
  probabilities: Float64Array;
  /** Three standard errors of the least certain of them, and what was left out; 0 where they are exact. */
  error: number;
}

/** Pairs of draws at a time; after each such batch the error is looked at. */
const PAIRS = 128;
const LEAST_BATCHES = 16;
const ENOUGH = 9e-4;
/** Operations at which no further batch begins: some seconds. */
const MOST_OPERATIONS = 1.2e11;
/** Operations of a pair beside the products, a line. */
const PER_LINE = 300;
/** Lines whose probabilities sum to less are left out of the draws. */
const HOPELESS = 1e-4;
/** Added to the variances, as a share of their mean: lines of one genotype have one error, and elements are rounded. */
const RIDGE = 1e-5;
/** Share of the largest variance by which covariances may differ and still count as one. */
const EQUAL = 1e-6;

/**
 * P(each of N lines is among the `count` truly best), for true values that are normal around the predicted ones with
 * any covariance C of the errors. What all errors share moves no line before another: where all covariances are equal
 * it is taken off, and `amongBest` is exact. Otherwise antithetic pairs of draws g = ĝ ± Lε of the lines that may be
 * among the best, and of each its probability given the others of the draw: normal with the mean
 * g_i − (C⁻¹(g − ĝ))_i/C⁻¹_ii and the variance 1/C⁻¹_ii, against the `count`-th best of the others. Their means are
 * found by regression on three controls: the same probability against a straight threshold (see `thresholdLine`), the
 * sum of these, and the sum of the probabilities themselves, which are `count` in all. Batches follow until three
 * standard errors are below 1e-3 with what was left out, or O(N²) a draw has become too long. The same seed gives the
 * same numbers; invariant to the unit.
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
  const probabilities = new Float64Array(values.length).fill(Number.NaN);
  if (n <= count || largest === 0 || shared !== null) {
    const spread = new Float64Array(values.length);
    known.forEach((i, k) => {
      spread[i] = Math.max(0, variances[k] - (shared ?? 0));
    });
    return { probabilities: amongBest(values, spread, count), error: 0 };
  }
  const ridge = (RIDGE * variances.reduce((sum, value) => sum + value, 0)) / n;
  for (let i = 0; i < n; i++) own.data[i * (n + 1)] += ridge;
  const means = Float64Array.from(known, (i) => values[i]);
  const line = thresholdLine(means, own, count);
  const alone = means.map((mean, i) => normalUpperTail((line.at - mean) / Math.sqrt(line.variances[i])));
  const { drawn, left } = hopefulOf(alone, count);
  const found = byDraws(
    Float64Array.from(drawn, (k) => means[k]),
    selectRowsAndColumns(own, drawn, drawn),
    count,
    seed,
  );
  known.forEach((i, k) => {
    probabilities[i] = alone[k];
  });
  drawn.forEach((k, d) => {
    probabilities[known[k]] = found.probabilities[d];
  });
  return { probabilities, error: found.error + left };
}

/** All but the lines with the smallest probabilities, which sum to `left` < {@link HOPELESS}. */
function hopefulOf(alone: Float64Array, count: number): { drawn: Int32Array; left: number } {
  const ascending = Array.from(alone.keys()).sort((a, b) => alone[a] - alone[b]);
  let left = 0;
  let out = 0;
  while (out < alone.length - count - 1 && left + alone[ascending[out]] < HOPELESS) left += alone[ascending[out++]];
  return { drawn: Int32Array.from(ascending.slice(out)).sort(), left };
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
  const line = thresholdLine(means, covariance, count);
  const factor: CholeskyFactor = choleskyInPlace(covariance);
  const lower = lowerOf(factor.lower);
  const inverse = choleskyInverseInPlace({ ...factor, lower: matrixOf(n, n, factor.lower.data.slice()) });
  const precisions = Float64Array.from({ length: n }, (_, i) => inverse.data[i * (n + 1)]);
  const roots = precisions.map(Math.sqrt);
  // The conditional mean less w'e has the variance var(e_i − w'e) − (1 − 2w_i)/C⁻¹_ii.
  const expected = means.map((mean, i) =>
    normalUpperTail((line.at - mean) / Math.sqrt(line.variances[i] + (2 * line.weights[i]) / precisions[i])),
  );
  const regression = new RegressionOnControls(n, 2);
  const [own, control, value, scratch] = Array.from({ length: 4 }, () => new Float64Array(n)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let error = 1;
  let batches = 0;
  while (batches < LEAST_BATCHES || (error > ENOUGH && batches * PAIRS * n * (3 * n + PER_LINE) < MOST_OPERATIONS)) {
    const stream = createRandomStream(seed, 'among best', batches);
    const draws = createMatrix(n, PAIRS);
    for (let k = 0; k < draws.data.length; k++) draws.data[k] = stream.normal();
    const deviations = multiply(lower, draws);
    solveLowerInPlace(factor.lower, draws, { transposed: true });
    for (let d = 0; d < PAIRS; d++) {
      own.fill(0);
      for (let i = 0; i < n; i++) control[i] = -expected[i];
      for (const sign of [1, -1]) {
        let straight = line.at;
        for (let i = 0; i < n; i++) {
          const deviation = sign * deviations.data[i + d * n];
          value[i] = means[i] + deviation;
          straight += line.weights[i] * deviation;
        }
        const [last, next] = aroundPlace(value, count, scratch);
        for (let i = 0; i < n; i++) {
          // The `count`-th best of the others.
          const threshold = value[i] >= last ? next : last;
          const given = value[i] - (sign * draws.data[i + d * n]) / precisions[i];
          own[i] += 0.5 * upperTail((threshold - given) * roots[i]);
          control[i] += 0.5 * upperTail((straight - given) * roots[i]);
        }
      }
      regression.add(own, control, Float64Array.of(sumOf(control), sumOf(own) - count));
    }
    batches++;
    error = 3 * regression.largestError();
  }
  return { probabilities: regression.means().map((mean) => Math.min(1, Math.max(0, mean))), error };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
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
