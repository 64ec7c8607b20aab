import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, requireSquare } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';

/** How alike the lines of a series are: the covariance of their effects is a variance times this matrix. */
export interface SeriesKernel {
  /** n × n, both triangles; null is the identity: lines are unrelated. */
  matrix: Matrix | null;
  /** Its inverse, n × n; null for the identity. */
  inverse: Matrix | null;
  logDeterminant: number;
  /** Diagonal of the kernel as it was given, n values. */
  diagonal: Float64Array;
  /**
   * c of the c·11ᵀ that was added. The mean of each environment is a fixed effect, so that neither the likelihood nor
   * any predicted value depends on it; only variances of predictions have c·Σ_g too much.
   */
  shift: number;
  /** What was added to the diagonal of a kernel that is singular beyond its mean, as one with clones is; usually 0. */
  ridge: number;
}

/** A pivot of the Cholesky factor below this share of the largest means that the kernel is singular. */
const SMALLEST_PIVOT = 1e-7;
/**
 * Share of the mean diagonal that is added to a singular kernel: with means known to a thousandth of the genetic
 * variance the likelihood changes by less than 1e-6, and the inverse is exact to as much.
 */
const RIDGE = 1e-8;
/** Most that an element may differ from its mirror image, as a share of the mean diagonal. */
const ASYMMETRY = 1e-8;

/** The kernel of unrelated lines. */
export function identityKernel(n: number): SeriesKernel {
  const diagonal = new Float64Array(n).fill(1);
  return { matrix: null, inverse: null, logDeterminant: 0, diagonal, shift: 0, ridge: 0 };
}

/**
 * A relationship matrix made ready for a series: centred genomic kernels, which are singular, get a multiple of 11ᵀ,
 * and kernels with clones a ridge of 1e-8 of their mean diagonal. O(n³), two n × n matrices beside the given one.
 *
 * @param relationship n × n, symmetric and positive semidefinite, without missing values; not modified
 * @throws StatgenError `not-positive-semidefinite` with the line (`line`, 0-based) at which it fails, `not-finite`,
 * `shape-mismatch`
 */
export function seriesKernel(relationship: Matrix): SeriesKernel {
  const n = requireSquare(relationship, 'a relationship matrix');
  const diagonal = Float64Array.from({ length: n }, (_, i) => relationship.data[i + i * n]);
  const size = diagonal.reduce((sum, value) => sum + value, 0) / n;
  requireSymmetric(relationship, size);
  const plain = factorOf(relationship, 0, 0);
  if (plain.factor !== null) return finish(relationship, diagonal, 0, 0, plain.factor);
  const shifted = factorOf(relationship, size, 0);
  if (shifted.factor !== null) return finish(relationship, diagonal, size, 0, shifted.factor);
  const ridge = RIDGE * size;
  const last = factorOf(relationship, size, ridge, 0);
  if (last.factor !== null) return finish(relationship, diagonal, size, ridge, last.factor);
  throw new StatgenError(
    'not-positive-semidefinite',
    `the relationship matrix has a negative eigenvalue: it fails at line ${last.failsAt + 1} of ${n}`,
    { line: last.failsAt, n },
  );
}

function requireSymmetric({ data, rows: n }: Matrix, size: number): void {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      const value = data[i + j * n];
      if (!Number.isFinite(value)) {
        throw new StatgenError('not-finite', `the relationship of lines ${j + 1} and ${i + 1} is not a number`);
      }
      if (Math.abs(value - data[j + i * n]) > ASYMMETRY * size) {
        throw new StatgenError('shape-mismatch', `the relationship of lines ${j + 1} and ${i + 1} has two values`);
      }
    }
  }
}

/** Its factor, or the line at which there is none. */
function factorOf(
  { data, rows: n }: Matrix,
  shift: number,
  ridge: number,
  smallest = SMALLEST_PIVOT,
): { factor: CholeskyFactor | null; failsAt: number } {
  const copy = createMatrix(n, n);
  for (let k = 0; k < copy.data.length; k++) copy.data[k] = data[k] + shift;
  for (let i = 0; i < n; i++) copy.data[i + i * n] += ridge;
  try {
    const factor = choleskyInPlace(copy);
    const pivots = Float64Array.from({ length: n }, (_, i) => factor.lower.data[i + i * n] ** 2);
    const failsAt = pivots.indexOf(Math.min(...pivots));
    return { factor: pivots[failsAt] < smallest * Math.max(...pivots) ? null : factor, failsAt };
  } catch (error) {
    if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
    return { factor: null, failsAt: Number(error.details.order) - 1 };
  }
}

function finish(
  given: Matrix,
  diagonal: Float64Array,
  shift: number,
  ridge: number,
  factor: CholeskyFactor,
): SeriesKernel {
  const n = given.rows;
  const logDeterminant = choleskyLogDeterminant(factor);
  let matrix = given;
  if (shift !== 0 || ridge !== 0) {
    matrix = createMatrix(n, n);
    for (let k = 0; k < matrix.data.length; k++) matrix.data[k] = given.data[k] + shift;
    for (let i = 0; i < n; i++) matrix.data[i + i * n] += ridge;
  }
  return { matrix, inverse: choleskyInverseInPlace(factor), logDeterminant, diagonal, shift, ridge };
}
