import { backend } from './chosen-backend.ts';
import { LinalgError } from './linalg-error.ts';
import { type Matrix, mirrorLower, requireSquare, shapeOf } from './matrix.ts';

/** The lower Cholesky factor of a positive definite matrix; the strict upper triangle of `lower` is undefined. */
export interface CholeskyFactor {
  readonly lower: Matrix;
}

/**
 * Cholesky factor of a symmetric matrix given by its lower triangle, **in place**; O(n³/3).
 *
 * @throws LinalgError `not-positive-definite` (details: `order`, the leading minor that fails, and `n`),
 * `shape-mismatch`
 */
export function choleskyInPlace(matrix: Matrix): CholeskyFactor {
  const n = requireSquare(matrix, 'a matrix to factor');
  if (n === 0) return { lower: matrix };
  const info = backend().potrf(n, matrix.data, n);
  if (info > 0) {
    throw new LinalgError(
      'not-positive-definite',
      `the ${n} × ${n} matrix is not positive definite: its leading minor of order ${info} is not positive`,
      { order: info, n },
    );
  }
  requireSuccess('dpotrf', info);
  return { lower: matrix };
}

/**
 * Cholesky factor L of A = L·Lᵀ in single precision: the lower triangle of A, in place; the strict upper triangle is
 * undefined. O(n³/3) at twice the speed of double precision.
 *
 * @throws LinalgError `not-positive-definite`
 */
export function factorSingleInPlace(a: Float32Array, n: number): void {
  const info = backend().potrfSingle(n, a, n);
  if (info > 0) {
    throw new LinalgError(
      'not-positive-definite',
      `the ${n} × ${n} matrix is not positive definite: its leading minor of order ${info} is not positive`,
      { order: info, n },
    );
  }
  requireSuccess('spotrf', info);
}

/** L⁻¹ of a factor in single precision, in place; O(n³/3). */
export function invertFactorSingleInPlace(factor: Float32Array, n: number): void {
  requireSuccess('strtri', backend().trtriSingle(n, factor, n));
}

/** Solves A·X = B by the factor of A in single precision, overwriting B (n × k, column-major). */
export function solveSingleInPlace(factor: Float32Array, b: Float32Array, n: number): void {
  requireSuccess('spotrs', backend().potrsSingle(n, b.length / n, factor, n, b, n));
}

/** Solves A·X = B, overwriting B (n × k). @throws LinalgError `shape-mismatch` */
export function choleskySolveInPlace(factor: CholeskyFactor, b: Matrix): void {
  const n = requireRows(factor.lower, b);
  if (n === 0 || b.columns === 0) return;
  requireSuccess('dpotrs', backend().potrs(n, b.columns, factor.lower.data, n, b.data, n));
}

/** Replaces B (n × k) by L⁻¹·B, or by L⁻ᵀ·B. @throws LinalgError `shape-mismatch` */
export function solveLowerInPlace(lower: Matrix, b: Matrix, options: { transposed?: boolean } = {}): void {
  const n = requireRows(lower, b);
  if (n === 0 || b.columns === 0) return;
  backend().trsm(options.transposed ?? false, n, b.columns, lower.data, n, b.data, n);
}

/** The full inverse, overwriting the factor; O(2n³/3). @throws LinalgError `singular` */
export function choleskyInverseInPlace(factor: CholeskyFactor): Matrix {
  return mirrorLower(choleskyLowerInverseInPlace(factor));
}

/** The lower triangle of the inverse, overwriting the factor; the strict upper triangle is undefined. */
export function choleskyLowerInverseInPlace(factor: CholeskyFactor): Matrix {
  const n = factor.lower.rows;
  if (n > 0) {
    const info = backend().potri(n, factor.lower.data, n);
    if (info > 0)
      throw new LinalgError('singular', `diagonal element ${info} of the factor is zero`, { order: info, n });
    requireSuccess('dpotri', info);
  }
  return factor.lower;
}

/** log|A| = 2·Σ log L_ii. */
export function choleskyLogDeterminant(factor: CholeskyFactor): number {
  const { data, rows } = factor.lower;
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += Math.log(data[i + i * rows]);
  return 2 * sum;
}

/** A negative `info` means an illegal argument: a bug in this package, not in its caller. */
export function requireSuccess(routine: string, info: number): void {
  if (info !== 0) throw new LinalgError('library-failed', `${routine} returned info = ${info}`, { routine, info });
}

function requireRows(lower: Matrix, b: Matrix): number {
  const n = requireSquare(lower, 'a triangular factor');
  if (b.rows !== n) throw new LinalgError('shape-mismatch', `cannot solve ${shapeOf(lower)} against ${shapeOf(b)}`);
  return n;
}
