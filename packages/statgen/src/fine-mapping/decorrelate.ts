import { choleskyInPlace, solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '../linear-algebra.ts';

/**
 * V^−½ times values and markers, less what fixed effects explain: with V = σ²aK + σ²eI the rest has covariance I.
 * O(n³).
 *
 * @param kinship n × n of the individuals
 * @param columns n × c, changed
 * @param x n × q, the intercept among them, independent
 * @throws LinalgError `not-positive-definite`
 */
export function decorrelate(
  kinship: Matrix,
  variances: { additive: number; residual: number },
  columns: Matrix,
  x: Matrix,
): void {
  const n = kinship.rows;
  const covariance = createMatrix(n, n);
  for (let k = 0; k < n * n; k++) covariance.data[k] = variances.additive * kinship.data[k];
  for (let i = 0; i < n; i++) covariance.data[i * (n + 1)] += variances.residual;
  const { lower } = choleskyInPlace(covariance);
  const fixed = matrixOf(n, x.columns, x.data.slice(0, n * x.columns));
  solveLowerInPlace(lower, fixed);
  solveLowerInPlace(lower, columns);
  const columnOf = ({ data }: Matrix, c: number): Float64Array => data.subarray(c * n, (c + 1) * n);
  for (let q = 0; q < fixed.columns; q++) {
    const axis = columnOf(fixed, q);
    for (let before = 0; before < q; before++) takeOff(columnOf(fixed, before), axis);
    for (let c = 0; c < columns.columns; c++) takeOff(axis, columnOf(columns, c));
  }
}

/** Takes off a column what another one explains of it. */
function takeOff(axis: Float64Array, column: Float64Array): void {
  let [product, length] = [0, 0];
  for (let i = 0; i < axis.length; i++) {
    product += axis[i] * column[i];
    length += axis[i] * axis[i];
  }
  const share = product / length;
  for (let i = 0; i < axis.length; i++) column[i] -= share * axis[i];
}
