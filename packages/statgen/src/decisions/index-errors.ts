import { choleskyInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';

/** Added to the variances before a covariance is decomposed, as a share of their mean: its elements are rounded. */
const RIDGE = 1e-5;

/**
 * Covariance of the prediction errors of the index b'g among n lines, from those of its T traits. The errors of trait t
 * are taken to be L_t ε_t, L_t the Cholesky factor of their covariance, with cor(ε_t, ε_s) = r_ts of each line: where
 * the covariances of the traits are multiples of each other, r_ts is the correlation of the errors of every line. One
 * trait, and traits whose errors are not correlated, need no such assumption. O(T n³).
 *
 * @param covariances n × n a trait; they are overwritten
 * @param weights b, a trait each
 * @param correlation T × T by rows, positive semidefinite; absent: not correlated
 * @throws LinalgError `not-positive-definite`
 */
export function indexErrors(
  covariances: readonly Matrix[],
  weights: readonly number[],
  correlation: Float64Array | undefined,
): Matrix {
  const n = covariances[0]?.rows ?? 0;
  const size = covariances.length;
  const result = createMatrix(n, n);
  if (correlation === undefined || size === 1) {
    for (const [t, { data }] of covariances.entries())
      for (let k = 0; k < data.length; k++) result.data[k] += weights[t] ** 2 * data[k];
    return result;
  }
  for (const covariance of covariances) decompose(covariance);
  const shares = factorOf(correlation, size);
  const combined = createMatrix(n, n);
  for (let s = 0; s < size; s++) {
    combined.data.fill(0);
    for (let t = s; t < size; t++) {
      const weight = weights[t] * shares[t * size + s];
      const { data } = covariances[t];
      for (let k = 0; k < data.length; k++) combined.data[k] += weight * data[k];
    }
    addOuterProduct(result, combined);
  }
  return mirrorLower(result);
}

/** L in place, with zeros above the diagonal. */
function decompose(covariance: Matrix): void {
  const { data, rows: n } = covariance;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += data[i * (n + 1)];
  for (let i = 0; i < n; i++) data[i * (n + 1)] += (RIDGE * sum) / n;
  if (sum > 0) choleskyInPlace(covariance);
  for (let j = 1; j < n; j++) data.fill(0, j * n, j * n + j);
}

/** Lower factor of a correlation, by rows; an element that repeats others has the pivot 0. */
function factorOf(correlation: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let value = correlation[i * size + j];
      for (let k = 0; k < j; k++) value -= factor[i * size + k] * factor[j * size + k];
      if (i === j) factor[i * size + i] = Math.sqrt(Math.max(0, value));
      else factor[i * size + j] = factor[j * size + j] > 1e-6 ? value / factor[j * size + j] : 0;
    }
  return factor;
}
