import { choleskyInPlace, choleskyLogDeterminant, solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import {
  createMatrix,
  type Matrix,
  matrixOf,
  packLower,
  requireSquare,
  transpose,
  unpackLower,
} from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';
import { type ErrorContrasts, orthonormalColumns } from './error-contrasts.ts';

/** Ω of n values: n × n, both triangles, or n variances of independent errors. */
export type ErrorCovariance = Matrix | Float64Array;

/** Ω = LLᵀ. */
export interface ErrorFactor {
  n: number;
  /** L, lower triangle; null for independent errors. */
  lower: Matrix | null;
  /** Standard errors; null for correlated ones. */
  deviations: Float64Array | null;
  /** log|Ω|. */
  logDeterminant: number;
}

/**
 * Factors the covariance of the errors of n values; O(n³/3), and O(n) for independent ones.
 *
 * @throws StatgenError `errors-not-positive-definite` (details: `place`, 0-based, the first value whose error the
 * values before it leave no room for)
 */
export function factorErrors(omega: ErrorCovariance): ErrorFactor {
  if (omega instanceof Float64Array) {
    const place = omega.findIndex((variance) => !(variance > 0 && Number.isFinite(variance)));
    if (place >= 0) throw notPositiveDefinite(place);
    const logDeterminant = omega.reduce((sum, variance) => sum + Math.log(variance), 0);
    return { n: omega.length, lower: null, deviations: omega.map(Math.sqrt), logDeterminant };
  }
  const n = requireSquare(omega, 'a covariance of errors');
  const lower = matrixOf(n, n, omega.data.slice(0, n * n));
  try {
    const factor = choleskyInPlace(lower);
    return { n, lower, deviations: null, logDeterminant: choleskyLogDeterminant(factor) };
  } catch (error) {
    if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
    throw notPositiveDefinite(Number(error.details.order) - 1);
  }
}

function notPositiveDefinite(place: number): StatgenError {
  return new StatgenError(
    'errors-not-positive-definite',
    `the covariance of the errors is not positive definite: value ${place + 1} has no error of its own beside those before it`,
    { place },
  );
}

/** L⁻¹·M, or L⁻ᵀ·M, as a new n × k matrix. */
export function whitenColumns(
  { n, lower, deviations }: ErrorFactor,
  matrix: Matrix,
  { transposed = false }: { transposed?: boolean } = {},
): Matrix {
  const result = matrixOf(n, matrix.columns, matrix.data.slice(0, n * matrix.columns));
  if (lower !== null) solveLowerInPlace(lower, result, { transposed });
  if (deviations !== null) {
    for (let j = 0; j < result.columns; j++) for (let i = 0; i < n; i++) result.data[i + j * n] /= deviations[i];
  }
  return result;
}

/** L⁻¹·K·L⁻ᵀ of a symmetric K, as a new matrix with both triangles. */
export function whitenKernel(errors: ErrorFactor, kernel: Matrix): Matrix {
  return whitenColumns(errors, transpose(whitenColumns(errors, kernel)));
}

/** L⁻¹·L⁻ᵀ. */
export function whitenIdentity(errors: ErrorFactor): Matrix {
  const identity = createMatrix(errors.n, errors.n);
  for (let i = 0; i < errors.n; i++) identity.data[i * (errors.n + 1)] = 1;
  return whitenKernel(errors, identity);
}

/** What is less than this share of a whole is rounding. */
const ROUNDING = 1e-12;

/** Mean eigenvalue of a covariance among the error contrasts of X (n × c); O(cn²). */
export function averageError(covariance: ErrorCovariance, x: Matrix, contrasts: ErrorContrasts): number {
  const { rows: n, columns, data } = orthonormalColumns(x, contrasts);
  const isVector = covariance instanceof Float64Array;
  let whole = 0;
  for (let i = 0; i < n; i++) whole += isVector ? covariance[i] : covariance.data[i * (n + 1)];
  let left = whole;
  for (let c = 0; c < columns; c++) {
    const q = data.subarray(c * n, (c + 1) * n);
    for (let j = 0; j < n; j++) {
      let product = isVector ? covariance[j] * q[j] : 0;
      if (!isVector) for (let i = 0; i < n; i++) product += q[i] * covariance.data[i + j * n];
      left -= product * q[j];
    }
  }
  return left > ROUNDING * whole ? left / (n - columns) : 0;
}

/** Ω times a number, new. */
export function scaleErrors<Errors extends ErrorCovariance>(omega: Errors, factor: number): Errors;
export function scaleErrors(omega: ErrorCovariance, factor: number): ErrorCovariance {
  if (omega instanceof Float64Array) return omega.map((value) => value * factor);
  return matrixOf(
    omega.rows,
    omega.columns,
    omega.data.map((value) => value * factor),
  );
}

/** Ω + σ²·I, new. */
export function addToErrors(omega: ErrorCovariance, variance: number): ErrorCovariance {
  if (omega instanceof Float64Array) return omega.map((value) => value + variance);
  const sum = matrixOf(omega.rows, omega.columns, omega.data.slice(0, omega.rows * omega.columns));
  for (let i = 0; i < omega.rows; i++) sum.data[i * (omega.rows + 1)] += variance;
  return sum;
}

/** Variances of independent errors as they are, the lower triangle by columns of others. */
export function packErrors(omega: ErrorCovariance): Float64Array {
  if (omega instanceof Float64Array) return omega;
  const n = omega.rows;
  const packed = new Float64Array((n * (n + 1)) / 2);
  packLower(omega, packed);
  return packed;
}

/** What {@link packErrors} packed, of n values. */
export function unpackErrors(packed: Float64Array, n: number): ErrorCovariance {
  if (packed.length === n) return packed;
  return unpackLower(packed, createMatrix(n, n));
}
