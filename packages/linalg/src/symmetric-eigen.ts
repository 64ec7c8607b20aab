import { requireSuccess } from './cholesky.ts';
import { backend } from './chosen-backend.ts';
import { LinalgError } from './linalg-error.ts';
import { createMatrix, type Matrix, requireSquare, shapeOf } from './matrix.ts';

export interface Eigenpairs {
  /** Ascending. */
  values: Float64Array;
  /** n × k, the eigenvector of `values[j]` in column j, unit length; its sign is arbitrary. */
  vectors: Matrix;
}

/**
 * All eigenvalues and eigenvectors of a symmetric matrix given by its lower triangle, by `dsyevd` (divide and
 * conquer); O(n³) with about 2n² doubles of scratch, 1.5n² for large n. The matrix is **overwritten** by the vectors.
 *
 * @throws LinalgError `not-finite`, `no-convergence`, `shape-mismatch`
 */
export function symmetricEigenInPlace(matrix: Matrix): Eigenpairs {
  const n = requireFiniteSquare(matrix);
  const values = new Float64Array(n);
  if (n > 0) requireConvergence('dsyevd', backend().syevd(true, n, matrix.data, n, values), n);
  return { values, vectors: matrix };
}

/** The eigenvalues only, ascending; the matrix is **destroyed**. @throws LinalgError like `symmetricEigenInPlace` */
export function symmetricEigenvaluesInPlace(matrix: Matrix): Float64Array {
  const n = requireFiniteSquare(matrix);
  const values = new Float64Array(n);
  if (n > 0) requireConvergence('dsyevd', backend().syevd(false, n, matrix.data, n, values), n);
  return values;
}

/**
 * The `count` largest eigenvalues, **descending**, with their vectors in the same order, by `dsyevr`; the matrix is
 * destroyed.
 *
 * @throws LinalgError `shape-mismatch` when `count` exceeds n, and like `symmetricEigenInPlace`
 */
export function largestEigenpairsInPlace(matrix: Matrix, count: number): Eigenpairs {
  const n = requireFiniteSquare(matrix);
  if (!(Number.isInteger(count) && count >= 0 && count <= n)) {
    throw new LinalgError('shape-mismatch', `a ${n} × ${n} matrix does not have ${count} eigenvectors`);
  }
  if (count === 0) return { values: new Float64Array(0), vectors: createMatrix(n, 0) };
  const values = new Float64Array(n);
  const ascending = createMatrix(n, count);
  requireConvergence('dsyevr', backend().syevr(n, matrix.data, n, n - count, n - 1, values, ascending.data), n);
  const vectors = createMatrix(n, count);
  for (let j = 0; j < count; j++) {
    vectors.data.set(ascending.data.subarray((count - 1 - j) * n, (count - j) * n), j * n);
  }
  return { values: values.slice(0, count).reverse(), vectors };
}

/** A symmetric matrix as Q·T·Qᵀ with T tridiagonal. */
export interface TridiagonalForm {
  /** n values. */
  diagonal: Float64Array;
  /** n − 1 values. */
  offDiagonal: Float64Array;
  /** Q as Householder reflectors (LAPACK's storage, lower). */
  reflectors: Matrix;
  tau: Float64Array;
}

/**
 * Reduces a symmetric matrix (lower triangle) to tridiagonal form by `dsytrd`; O(4n³/3); the matrix keeps the
 * reflectors.
 */
export function tridiagonalizeInPlace(matrix: Matrix): TridiagonalForm {
  const n = requireFiniteSquare(matrix);
  const diagonal = new Float64Array(n);
  const offDiagonal = new Float64Array(Math.max(0, n - 1));
  const tau = new Float64Array(Math.max(0, n - 1));
  if (n === 1) diagonal[0] = matrix.data[0];
  if (n > 1) requireSuccess('dsytrd', backend().sytrd(n, matrix.data, n, diagonal, offDiagonal, tau));
  return { diagonal, offDiagonal, reflectors: matrix, tau };
}

/** Replaces C (n × k) by Qᵀ·C (`transposed`) or Q·C; O(2n²k). @throws LinalgError `shape-mismatch` */
export function applyTridiagonalBasis(form: TridiagonalForm, c: Matrix, options: { transposed: boolean }): void {
  const n = form.reflectors.rows;
  if (c.rows !== n) {
    throw new LinalgError('shape-mismatch', `cannot turn ${shapeOf(c)} by a basis of ${shapeOf(form.reflectors)}`);
  }
  if (n < 2 || c.columns === 0) return;
  requireSuccess(
    'dormtr',
    backend().ormtr(options.transposed, n, c.columns, form.reflectors.data, n, form.tau, c.data, n),
  );
}

/** LAPACK may loop or crash on NaN, so check the lower triangle first. */
function requireFiniteSquare(matrix: Matrix): number {
  const n = requireSquare(matrix, 'a symmetric matrix');
  const { data } = matrix;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = j; i < n; i++) sum += data[i + j * n] - data[i + j * n];
    if (sum !== 0) {
      throw new LinalgError(
        'not-finite',
        `column ${j + 1} of the ${n} × ${n} matrix holds a value that is not finite`,
        {
          column: j + 1,
          n,
        },
      );
    }
  }
  return n;
}

function requireConvergence(routine: string, info: number, n: number): void {
  if (info > 0) {
    throw new LinalgError(
      'no-convergence',
      `the eigenvalues of the ${n} × ${n} matrix did not converge (${routine}, info = ${info})`,
      {
        info,
        n,
      },
    );
  }
  requireSuccess(routine, info);
}
