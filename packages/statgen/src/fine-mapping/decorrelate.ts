import { choleskyInPlace, solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix } from '../linear-algebra.ts';

/**
 * V^−½ times values and markers, less what the mean explains: with V = σ²aK + σ²eI the rest has covariance I. O(n³).
 *
 * @param kinship n × n of the individuals
 * @param columns n × c, changed
 * @throws LinalgError `not-positive-definite`
 */
export function decorrelate(kinship: Matrix, variances: { additive: number; residual: number }, columns: Matrix): void {
  const n = kinship.rows;
  const covariance = createMatrix(n, n);
  for (let k = 0; k < n * n; k++) covariance.data[k] = variances.additive * kinship.data[k];
  for (let i = 0; i < n; i++) covariance.data[i * (n + 1)] += variances.residual;
  const { lower } = choleskyInPlace(covariance);
  const mean = createMatrix(n, 1);
  mean.data.fill(1);
  solveLowerInPlace(lower, mean);
  solveLowerInPlace(lower, columns);
  const length = mean.data.reduce((sum, value) => sum + value * value, 0);
  for (let c = 0; c < columns.columns; c++) {
    const own = columns.data.subarray(c * n, (c + 1) * n);
    const share = own.reduce((sum, value, i) => sum + value * mean.data[i], 0) / length;
    for (let i = 0; i < n; i++) own[i] -= share * mean.data[i];
  }
}
