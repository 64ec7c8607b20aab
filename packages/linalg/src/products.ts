import { backend } from './chosen-backend.ts';
import { LinalgError } from './linalg-error.ts';
import { createMatrix, type Matrix, requireSquare, shapeOf } from './matrix.ts';

export interface ProductOptions {
  transposeA?: boolean;
  transposeB?: boolean;
  /** Factor of the product; default 1. */
  alpha?: number;
  /** Factor of the previous contents of `into`; default 0 (overwrite). */
  beta?: number;
  /** Result, op(A) rows × op(B) columns; default a new matrix. Must not share memory with A or B. */
  into?: Matrix;
}

/**
 * op(A)·op(B) by `dgemm`; O(mnk).
 *
 * @returns `into`, or a new matrix
 * @throws LinalgError `shape-mismatch`, naming both shapes
 */
export function multiply(a: Matrix, b: Matrix, options: ProductOptions = {}): Matrix {
  const { transposeA = false, transposeB = false, alpha = 1, beta = 0 } = options;
  const rows = transposeA ? a.columns : a.rows;
  const inner = transposeA ? a.rows : a.columns;
  const innerB = transposeB ? b.columns : b.rows;
  const columns = transposeB ? b.rows : b.columns;
  if (inner !== innerB) {
    throw new LinalgError(
      'shape-mismatch',
      `cannot multiply ${shapeOf(a)}${transposeA ? ' (transposed)' : ''} by ${shapeOf(b)}${transposeB ? ' (transposed)' : ''}`,
    );
  }
  const into = options.into ?? createMatrix(rows, columns);
  if (into.rows !== rows || into.columns !== columns) {
    throw new LinalgError('shape-mismatch', `the product is ${rows} × ${columns}, its place ${shapeOf(into)}`);
  }
  if (rows === 0 || columns === 0) return into;
  backend().gemm(
    transposeA,
    transposeB,
    rows,
    columns,
    inner,
    alpha,
    a.data,
    a.rows,
    b.data,
    b.rows,
    beta,
    into.data,
    rows,
  );
  return into;
}

/**
 * op(A)·x by `dgemv`; O(mn).
 *
 * @throws LinalgError `shape-mismatch`, naming both shapes
 */
export function multiplyVector(a: Matrix, x: Float64Array, options: { transposeA?: boolean } = {}): Float64Array {
  const { transposeA = false } = options;
  const length = transposeA ? a.columns : a.rows;
  if (x.length !== (transposeA ? a.rows : a.columns)) {
    throw new LinalgError(
      'shape-mismatch',
      `cannot multiply ${shapeOf(a)}${transposeA ? ' (transposed)' : ''} by a vector of ${x.length}`,
    );
  }
  const y = new Float64Array(length);
  if (a.rows === 0 || a.columns === 0) return y;
  backend().gemv(transposeA, a.rows, a.columns, 1, a.data, a.rows, x, 0, y);
  return y;
}

/**
 * Adds α·A·Aᵀ, or α·Aᵀ·A when transposed, to the **lower** triangle of C by `dsyrk`; half the work of `multiply`.
 *
 * @param c n × n
 * @param a n × k, or k × n when transposed
 * @throws LinalgError `shape-mismatch`, naming both shapes
 */
export function addOuterProduct(c: Matrix, a: Matrix, alpha = 1, options: { transposeA?: boolean } = {}): void {
  const { transposeA = false } = options;
  const n = requireSquare(c, 'the sum of outer products');
  const inner = transposeA ? a.rows : a.columns;
  if ((transposeA ? a.columns : a.rows) !== n) {
    throw new LinalgError('shape-mismatch', `cannot add the outer product of ${shapeOf(a)} to ${shapeOf(c)}`);
  }
  if (n === 0 || inner === 0) return;
  backend().syrk(transposeA, n, inner, alpha, a.data, a.rows, 1, c.data, n);
}

/**
 * Adds Aᵀ·A to the **lower** triangle of C in single precision by `ssyrk`; O(n²k) at twice the speed of
 * {@link addOuterProduct}. With whole numbers the result is exact, whatever the order of the additions, as long as no
 * sum exceeds 2²⁴.
 *
 * @param c n × n, column-major
 * @param a k × n, column-major
 * @throws LinalgError `shape-mismatch`
 */
export function addCrossProductSingle(c: Float32Array, a: Float32Array, n: number, k: number): void {
  requireProductShape(c, a, n, k);
  if (n > 0 && k > 0) backend().syrkSingle(true, n, k, a, k, c, n);
}

/** Adds A·Aᵀ with A n × k like {@link addCrossProductSingle}. @throws LinalgError `shape-mismatch` */
export function addOuterProductSingle(c: Float32Array, a: Float32Array, n: number, k: number): void {
  requireProductShape(c, a, n, k);
  if (n > 0 && k > 0) backend().syrkSingle(false, n, k, a, n, c, n);
}

/**
 * Adds Aᵀ·B to C in single precision by `sgemm`; O(mnk). Exact for whole numbers as {@link addCrossProductSingle}.
 *
 * @param c m × n, column-major
 * @param a k × m, column-major
 * @param b k × n, column-major
 * @throws LinalgError `shape-mismatch`
 */
export function addProductSingle(
  c: Float32Array,
  a: Float32Array,
  b: Float32Array,
  { m, n, k }: { m: number; n: number; k: number },
): void {
  if (c.length !== m * n || a.length < k * m || b.length < k * n) {
    throw new LinalgError(
      'shape-mismatch',
      `cannot add the product of ${k} × ${m} (${a.length} values), transposed, and ${k} × ${n} (${b.length} values) to ${m} × ${n} (${c.length} values)`,
    );
  }
  if (m > 0 && n > 0 && k > 0) backend().gemmSingle(m, n, k, a, k, b, k, c, m);
}

function requireProductShape(c: Float32Array, a: Float32Array, n: number, k: number): void {
  if (c.length !== n * n || a.length < n * k) {
    throw new LinalgError(
      'shape-mismatch',
      `cannot add the product of ${k} × ${n} (${a.length} values) to ${n} × ${n} (${c.length} values)`,
    );
  }
}
