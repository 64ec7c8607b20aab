import { normalDensity, normalUpperTail } from '../crossing/normal-distribution.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';

export interface EstimatedProbability {
  probability: number;
  /** Three standard errors of the estimate; 0 where it is exact. */
  error: number;
}

/** Independent shifts of the lattice, from whose spread the error is estimated. */
const SHIFTS = 10;
/** Points of each shift: the next number is tried until the error is small enough. */
const POINTS: readonly number[] = [127, 509, 2039, 8191];
const ENOUGH = 2e-4;
/** Most dimensions: one generator of the lattice each. */
const PRIMES: readonly number[] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71];
const MOST_DIMENSIONS: number = PRIMES.length;
/** A conditional variance below this share of its own says that a difference repeats others. */
const LEAST_PIVOT = 1e-12;

/**
 * P(all T elements of d + e are above 0), e ~ N(0, V): separation of variables (Genz 1992, doi
 * 10.1080/10618600.1992.10477010) on a randomly shifted Richtmyer lattice with the baker's transformation (Genz & Bretz
 * 2002, doi 10.1198/106186002394). T = 1 is exact. Invariant to the units of the elements: they are scaled to a
 * variance of 1 first. The same seed gives the same number.
 *
 * @param means d, length T, at most `MOST_DIMENSIONS`
 * @param covariance V, T × T by rows, positive semidefinite
 * @throws StatgenError `shape-mismatch`, `bad-option` when V is not positive semidefinite
 */
export function orthantProbability(means: Float64Array, covariance: Float64Array, seed: number): EstimatedProbability {
  const size = means.length;
  if (covariance.length !== size * size || size === 0 || size > MOST_DIMENSIONS)
    throw new StatgenError('shape-mismatch', `${size} differences and a covariance of ${covariance.length} elements`);
  const sds = means.map((_, t) => Math.sqrt(covariance[t * size + t]));
  // What is known without error decides or drops out.
  const open: number[] = [];
  for (let t = 0; t < size; t++) {
    if (sds[t] > 0) open.push(t);
    else if (!(means[t] > 0)) return { probability: 0, error: 0 };
  }
  // The least likely first: the integrand varies less (Genz & Bretz 2002).
  open.sort((a, b) => means[a] / sds[a] - means[b] / sds[b]);
  const z = Float64Array.from(open, (t) => means[t] / sds[t]);
  if (open.length === 0) return { probability: 1, error: 0 };
  if (open.length === 1) return { probability: normalUpperTail(-z[0]), error: 0 };
  const factor = choleskyOf(open, covariance, sds);
  let found = { probability: 0, error: 1 };
  for (const points of POINTS) {
    found = estimate(z, factor, points, seed);
    if (found.error < ENOUGH) break;
  }
  return found;
}

function estimate(z: Float64Array, factor: Float64Array, points: number, seed: number): EstimatedProbability {
  const estimates = new Float64Array(SHIFTS);
  for (let s = 0; s < SHIFTS; s++) {
    const stream = createRandomStream(seed, 'orthant', s);
    const shift = z.map(() => stream.uniform());
    for (let k = 1; k <= points; k++)
      estimates[s] += separated(z, factor, (t) => Math.abs(2 * fraction(k * Math.sqrt(PRIMES[t]) + shift[t]) - 1));
    estimates[s] /= points;
  }
  const mean = estimates.reduce((sum, one) => sum + one, 0) / SHIFTS;
  const squares = estimates.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { probability: mean, error: 3 * Math.sqrt(squares / (SHIFTS * (SHIFTS - 1))) };
}

/** The integrand of Genz (1992, eq. 3): the product of the conditional probabilities along one point. */
function separated(z: Float64Array, factor: Float64Array, point: (t: number) => number): number {
  const size = z.length;
  const drawn = new Float64Array(size);
  let product = 1;
  for (let t = 0; t < size; t++) {
    let given = z[t];
    for (let s = 0; s < t; s++) given += factor[t * size + s] * drawn[s];
    const pivot = factor[t * size + t];
    // Without a variance of its own the element follows from those before.
    const upper = pivot > 0 ? normalUpperTail(-given / pivot) : Number(given > 0);
    product *= upper;
    if (product === 0) return 0;
    if (pivot > 0 && t + 1 < size) drawn[t] = upperQuantile(point(t) * upper);
  }
  return product;
}

/** Lower factor of the correlation of the chosen elements; a row that repeats others has the pivot 0. */
function choleskyOf(open: readonly number[], covariance: Float64Array, sds: Float64Array): Float64Array {
  const n = open.length;
  const size = sds.length;
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let value = covariance[open[i] * size + open[j]] / (sds[open[i]] * sds[open[j]]);
      for (let k = 0; k < j; k++) value -= factor[i * n + k] * factor[j * n + k];
      if (i === j) {
        if (value < -1e-8)
          throw new StatgenError('bad-option', 'the covariance of the differences is not positive semidefinite');
        factor[i * n + i] = value > LEAST_PIVOT ? Math.sqrt(value) : 0;
      } else factor[i * n + j] = factor[j * n + j] > 0 ? value / factor[j * n + j] : 0;
    }
  }
  return factor;
}

/**
 * The z with P(Z > z) = tail: Abramowitz & Stegun (1964, 26.2.23), within 4.5e-4, and one step of Halley's method,
 * within 1e-9.
 */
function upperQuantile(tail: number): number {
  const p = Math.min(1 - 1e-16, Math.max(1e-300, tail));
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)));
  const from = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  const z = p < 0.5 ? from : -from;
  const step = (normalUpperTail(z) - p) / normalDensity(z);
  return z + step / (1 - (z * step) / 2);
}

const fraction = (value: number): number => value - Math.floor(value);
