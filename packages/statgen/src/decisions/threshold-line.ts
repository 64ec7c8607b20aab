import type { Matrix } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { normalDensity, normalUpperTail } from '../crossing/normal-distribution.ts';

/** A straight line in the errors that follows the `count`-th best of true values: `at` + w'e. */
export interface ThresholdLine {
  at: number;
  /** w, length n, with the sum 1. */
  weights: Float64Array;
  /** Of e_i − w'e. */
  variances: Float64Array;
}

const ROUNDS = 4;
const HALVINGS = 60;
/** Standard deviations beyond which nothing is counted. */
const FAR = 8;
/** Of e_i − w'e, as a share of the largest variance: errors may be one. */
const LEAST_VARIANCE = 1e-9;

/**
 * The threshold where as many lines are expected above as there are places, and how it moves with the errors: the best
 * linear predictor has the weights E[∂T/∂e_i], the probabilities that line i is the `count`-th best (Stein 1981), which
 * are taken as proportional to the density of its value at the threshold.
 *
 * @param means predicted values, length n
 * @param covariance of the errors, n × n
 */
export function thresholdLine(means: Float64Array, covariance: Matrix, count: number): ThresholdLine {
  const n = means.length;
  const own = Float64Array.from(means, (_, i) => covariance.data[i * (n + 1)]);
  const least = LEAST_VARIANCE * own.reduce((most, value) => Math.max(most, value), 0);
  let line: ThresholdLine = { at: 0, weights: new Float64Array(n), variances: own };
  for (let round = 0; round < ROUNDS; round++) {
    const sds = line.variances.map(Math.sqrt);
    const at = whereExpected(means, sds, count);
    const densities = means.map((mean, i) => normalDensity((at - mean) / sds[i]) / sds[i]);
    const sum = densities.reduce((total, density) => total + density, 0);
    const weights = densities.map((density) => density / sum);
    const shared = multiplyVector(covariance, weights);
    const ofLine = weights.reduce((total, weight, i) => total + weight * shared[i], 0);
    line = { at, weights, variances: own.map((value, i) => Math.max(least, value - 2 * shared[i] + ofLine)) };
  }
  return line;
}

/** The value that `count` lines are expected to exceed, by halving. */
function whereExpected(means: Float64Array, sds: Float64Array, count: number): number {
  const reach = FAR * sds.reduce((most, sd) => Math.max(most, sd), 0);
  let from = means.reduce((least, mean) => Math.min(least, mean), Number.POSITIVE_INFINITY) - reach;
  let to = means.reduce((most, mean) => Math.max(most, mean), Number.NEGATIVE_INFINITY) + reach;
  for (let step = 0; step < HALVINGS; step++) {
    const at = (from + to) / 2;
    let above = 0;
    for (let i = 0; i < means.length; i++) above += normalUpperTail((at - means[i]) / sds[i]);
    if (above > count) from = at;
    else to = at;
  }
  return (from + to) / 2;
}
