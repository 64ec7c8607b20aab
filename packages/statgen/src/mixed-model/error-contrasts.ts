import { createMatrix, type Matrix, matrixOf, requireSquare } from '@heterosis/linalg/matrix';
import { StatgenError } from '../statgen-error.ts';

/**
 * The fixed effects X (n × c) as Q·R with Q from c Householder reflections: the first c coordinates of Qᵀy hold what
 * X explains, the other n − c are error contrasts, free of the fixed effects and independent with the residual's
 * variance. REML is maximum likelihood of the contrasts (Patterson & Thompson 1971, Biometrika 58:545).
 */
export interface ErrorContrasts {
  n: number;
  /** Fixed effects, c. */
  fixed: number;
  /** n × c: reflector k is column k from row k on, with H = I − scale·v·vᵀ. */
  reflectors: Matrix;
  scales: Float64Array;
  /** Upper triangular c × c. */
  r: Matrix;
}

/** A column is collinear with those before it if their residual is shorter than this share of its length. */
const COLLINEAR_SHARE = 1e-9;

/**
 * @param x n × c, full column rank (the intercept is a column of its own)
 * @throws StatgenError `collinear-fixed-effects` (details: `column`, 0-based), `too-few-individuals` when n ≤ c
 */
export function createErrorContrasts(x: Matrix): ErrorContrasts {
  const { rows: n, columns: c } = x;
  if (n <= c) {
    throw new StatgenError(
      'too-few-individuals',
      `${n} individuals cannot estimate ${c} fixed effects and a variance`,
      {
        n,
        fixed: c,
      },
    );
  }
  const work = x.data.slice(0, n * c);
  const reflectors = createMatrix(n, c);
  const scales = new Float64Array(c);
  const r = createMatrix(c, c);
  const contrasts = { n, fixed: c, reflectors, scales, r };
  for (let k = 0; k < c; k++) {
    const column = work.subarray(k * n, (k + 1) * n);
    const length = lengthFrom(column, 0);
    for (let earlier = 0; earlier < k; earlier++) reflect(contrasts, earlier, column, 0);
    const rest = lengthFrom(column, k);
    if (!(rest > COLLINEAR_SHARE * length)) {
      throw new StatgenError(
        'collinear-fixed-effects',
        `fixed effect ${k + 1} of ${c} is a combination of those before it`,
        { column: k, fixed: c },
      );
    }
    const alpha = column[k] > 0 ? -rest : rest;
    const v = reflectors.data.subarray(k * n, (k + 1) * n);
    v.set(column.subarray(k), k);
    v[k] -= alpha;
    let square = 0;
    for (let i = k; i < n; i++) square += v[i] * v[i];
    scales[k] = 2 / square;
    for (let i = 0; i < k; i++) r.data[i + k * c] = column[i];
    r.data[k + k * c] = alpha;
  }
  return contrasts;
}

/** ½ log|XᵀX|. */
export function logVolume({ fixed, r }: ErrorContrasts): number {
  let sum = 0;
  for (let k = 0; k < fixed; k++) sum += Math.log(Math.abs(r.data[k * (fixed + 1)]));
  return sum;
}

/** A matrix of ones: the model with a mean only. */
export function interceptOnly(n: number): Matrix {
  return matrixOf(n, 1, new Float64Array(n).fill(1));
}

/** Q of X = QR, n × c. */
export function orthonormalColumns(x: Matrix, { r }: ErrorContrasts): Matrix {
  const { rows: n, columns: c } = x;
  const q = matrixOf(n, c, x.data.slice(0, n * c));
  for (let k = 0; k < c; k++) {
    const own = q.data.subarray(k * n, (k + 1) * n);
    for (let earlier = 0; earlier < k; earlier++) {
      const factor = r.data[earlier + k * c];
      for (let i = 0; i < n; i++) own[i] -= factor * q.data[earlier * n + i];
    }
    for (let i = 0; i < n; i++) own[i] /= r.data[k + k * c];
  }
  return q;
}

/** The n − c contrasts of each column of M (n × k), as a new (n − c) × k matrix. */
export function contrastsOf(contrasts: ErrorContrasts, matrix: Matrix): Matrix {
  requireRowCount(contrasts, matrix);
  const { n, fixed } = contrasts;
  const order = n - fixed;
  const result = createMatrix(order, matrix.columns);
  const column = new Float64Array(n);
  for (let j = 0; j < matrix.columns; j++) {
    column.set(matrix.data.subarray(j * n, (j + 1) * n));
    for (let k = 0; k < fixed; k++) reflect(contrasts, k, column, 0);
    result.data.set(column.subarray(fixed), j * order);
  }
  return result;
}

/**
 * The n-vectors Q₂·w of contrast-space vectors w ((n − c) × k): the transpose of `contrastsOf`.
 *
 * @param into where they are written; may begin where `matrix` begins, which is then overwritten
 */
export function fromContrasts(
  contrasts: ErrorContrasts,
  matrix: Matrix,
  into: Matrix = createMatrix(contrasts.n, matrix.columns),
): Matrix {
  const { n, fixed } = contrasts;
  const result = into;
  const order = n - fixed;
  if (result.data.buffer !== matrix.data.buffer) result.data.set(matrix.data.subarray(0, order * matrix.columns));
  // The columns grow, so the last one moves first.
  for (let j = matrix.columns - 1; j >= 0; j--) {
    result.data.copyWithin(j * n + fixed, j * order, (j + 1) * order);
    result.data.fill(0, j * n, j * n + fixed);
    for (let k = fixed - 1; k >= 0; k--) reflect(contrasts, k, result.data, j * n);
  }
  return result;
}

/** A kernel in the basis Q, cut where the contrasts begin. */
export interface KernelPartition {
  /** Q₁ᵀKQ₁, c × c, lower triangle. */
  fixed: Matrix;
  /** Q₂ᵀKQ₁, (n − c) × c. */
  cross: Matrix;
  /** Q₂ᵀKQ₂, (n − c) × (n − c), lower triangle. */
  contrasts: Matrix;
}

/**
 * Q₂ᵀKQ₂, the covariance of the contrasts, (n − c) × (n − c), lower triangle (the upper holds no meaning); O(cn²).
 *
 * @param kernel n × n, symmetric, both triangles; unchanged
 */
export function projectKernel(contrasts: ErrorContrasts, kernel: Matrix): Matrix {
  return partitionKernel(contrasts, kernel).contrasts;
}

/**
 * QᵀKQ in parts (the upper triangles hold no meaning); O(cn²). `kernel` as for `projectKernel`, or with `overwrite` the
 * place of the contrasts.
 */
export function partitionKernel(contrasts: ErrorContrasts, kernel: Matrix, overwrite = false): KernelPartition {
  requireRowCount(contrasts, kernel);
  const { n, fixed, reflectors, scales } = contrasts;
  const whole = requireSquare(kernel, 'a kinship matrix') ** 2;
  const work = overwrite ? kernel.data : kernel.data.slice(0, whole);
  const w = new Float64Array(n);
  for (let k = 0; k < fixed; k++) {
    // H A H = A − v·wᵀ − w·vᵀ with w = s(Av − ½s(vᵀAv)v); symmetric, so only the lower triangle from here on is kept
    // up.
    const v = reflectors.data.subarray(k * n, (k + 1) * n);
    const s = scales[k];
    w.fill(0);
    for (let j = 0; j < n; j++) addColumnProduct(work, j, v, w);
    let dot = 0;
    for (let i = 0; i < n; i++) dot += v[i] * w[i];
    const half = 0.5 * s * dot;
    for (let i = 0; i < n; i++) w[i] = s * (w[i] - half * v[i]);
    for (let j = 0; j < n; j++) subtractColumnProduct(work, j, v, w);
  }
  const order = n - fixed;
  const parts = {
    fixed: createMatrix(fixed, fixed),
    cross: createMatrix(order, fixed),
    contrasts: matrixOf(order, order, work),
  };
  for (let j = 0; j < fixed; j++) {
    parts.fixed.data.set(work.subarray(j * n + j, j * n + fixed), j * fixed + j);
    parts.cross.data.set(work.subarray(j * n + fixed, (j + 1) * n), j * order);
  }
  for (let j = 0; j < order; j++) {
    const start = (j + fixed) * n + fixed;
    work.copyWithin(j * order, start, start + order);
  }
  return parts;
}

// The inner loops of `partitionKernel` are separate functions: called n times, they are compiled after a few calls,
// whereas a single long call would mostly run interpreted.

/** Adds the part of A·v that column j of A, kept in its lower triangle, gives: its own row and the rows below. */
function addColumnProduct(a: Float64Array, j: number, v: Float64Array, into: Float64Array): void {
  const n = v.length;
  const column = j * n;
  const vj = v[j];
  let sum = a[column + j] * vj;
  for (let i = j + 1; i < n; i++) {
    into[i] += a[column + i] * vj;
    sum += a[column + i] * v[i];
  }
  into[j] += sum;
}

/** Column j of A − v·wᵀ − w·vᵀ, from the diagonal down. */
function subtractColumnProduct(a: Float64Array, j: number, v: Float64Array, w: Float64Array): void {
  const n = v.length;
  const column = j * n;
  const vj = v[j];
  const wj = w[j];
  for (let i = j; i < n; i++) a[column + i] -= v[i] * wj + w[i] * vj;
}

/** Least-squares coefficients R⁻¹Q₁ᵀv: what X explains of v (n). */
export function fixedEffectsOf(contrasts: ErrorContrasts, v: Float64Array): Float64Array {
  const { n, fixed, r } = contrasts;
  const turned = v.slice(0, n);
  for (let k = 0; k < fixed; k++) reflect(contrasts, k, turned, 0);
  const coefficients = turned.slice(0, fixed);
  for (let k = fixed - 1; k >= 0; k--) {
    for (let j = k + 1; j < fixed; j++) coefficients[k] -= r.data[k + j * fixed] * coefficients[j];
    coefficients[k] /= r.data[k + k * fixed];
  }
  return coefficients;
}

function reflect(contrasts: ErrorContrasts, k: number, values: Float64Array, start: number): void {
  const { n, reflectors, scales } = contrasts;
  const v = k * n;
  let dot = 0;
  for (let i = k; i < n; i++) dot += reflectors.data[v + i] * values[start + i];
  dot *= scales[k];
  for (let i = k; i < n; i++) values[start + i] -= dot * reflectors.data[v + i];
}

/** Length of the column from row `first` on, scaled against overflow. */
function lengthFrom(column: Float64Array, first: number): number {
  let largest = 0;
  for (let i = first; i < column.length; i++) largest = Math.max(largest, Math.abs(column[i]));
  if (!(largest > 0)) return 0;
  let sum = 0;
  for (let i = first; i < column.length; i++) sum += (column[i] / largest) ** 2;
  return largest * Math.sqrt(sum);
}

function requireRowCount(contrasts: ErrorContrasts, matrix: Matrix): void {
  if (matrix.rows !== contrasts.n) {
    throw new StatgenError(
      'shape-mismatch',
      `the fixed effects have ${contrasts.n} individuals, the matrix is ${matrix.rows} × ${matrix.columns}`,
    );
  }
}
