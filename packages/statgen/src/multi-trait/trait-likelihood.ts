import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { columnBlock, createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import { type Flat, invertSmall } from './small-covariances.ts';
import type { TraitRecords } from './trait-records.ts';

/** G and R of the scaled records, t × t each. */
export interface TraitCovariances {
  genetic: Flat;
  residual: Flat;
}

/**
 * The likelihood at G and R, and what scores and predictions are made from, in the basis of the eigenvectors. A set of
 * k vectors of records is an n × tk matrix, the k columns of trait after trait.
 */
export interface TraitPoint {
  covariances: TraitCovariances;
  /** −½[(N − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy] of the scaled records. */
  logLikelihood: number;
  /** W_i = (λ_iG + R)⁻¹, t × t each, line after line. */
  weights: Float64Array;
  /** Of B, the rows and columns of the missing records in the inverse covariance of complete data; null without. */
  missing: CholeskyFactor | null;
  /** UᵀPy, n × t. */
  image: Matrix;
  /** UᵀV⁻¹X, n × tq. */
  fixedImage: Matrix;
  /** (XᵀV⁻¹X)⁻¹, q × q. */
  fixedCovariance: Matrix;
  /** b̂ of the scaled records. */
  coefficients: Float64Array;
}

/**
 * The REML log-likelihood of several traits. Complete records are n independent vectors of t traits in the basis of the
 * eigenvectors of K (Zhou & Stephens 2014, Nat Methods 11:407). With M missing records, V of the records present is
 * a block of V of complete data: V⁻¹ = C − C_m B⁻¹ C_mᵀ, C the inverse of complete data, C_m its columns and B its
 * block of the missing records, and log|V| gains log|B|. O(n t³) complete, O(M³ + M²n) else.
 *
 * @returns null where G and R make no covariance, or X is collinear to working precision
 */
export function evaluateTraits(records: TraitRecords, covariances: TraitCovariances): TraitPoint | null {
  const { lineCount: n, traitCount: t, fixedCount: q, recordCount, rotated } = records;
  const inverted = invertByLine(records, covariances);
  if (inverted === null) return null;
  const { weights } = inverted;
  let { logDeterminant } = inverted;
  const missing = factorMissing(records, weights);
  if (missing === undefined) return null;
  if (missing !== null) logDeterminant += choleskyLogDeterminant(missing);
  const solved = applyInverse(records, { weights, missing }, rotated);
  const squares = createMatrix(1 + q, 1 + q);
  for (let s = 0; s < t; s++) {
    const own = columnBlock(rotated, s * (1 + q), 1 + q);
    multiply(own, columnBlock(solved, s * (1 + q), 1 + q), { transposeA: true, beta: 1, into: squares });
  }
  const fixed = solveFixed(squares);
  if (fixed === null) return null;
  const { logX, coefficients, fixedCovariance, quadratic } = fixed;
  const image = createMatrix(n, t);
  const fixedImage = createMatrix(n, t * q);
  for (let s = 0; s < t; s++) {
    const own = image.data.subarray(s * n, (s + 1) * n);
    own.set(solved.data.subarray(s * (1 + q) * n, (s * (1 + q) + 1) * n));
    for (let c = 0; c < q; c++) {
      const from = (s * (1 + q) + 1 + c) * n;
      const column = solved.data.subarray(from, from + n);
      fixedImage.data.set(column, (s * q + c) * n);
      for (let i = 0; i < n; i++) own[i] -= coefficients[c] * column[i];
    }
  }
  if (!isSolved(rotated, image, squares, quadratic)) return null;
  const logLikelihood = -0.5 * ((recordCount - q) * Math.log(2 * Math.PI) + logDeterminant + logX + quadratic);
  if (!Number.isFinite(logLikelihood)) return null;
  return { covariances, logLikelihood, weights, missing, image, fixedImage, fixedCovariance, coefficients };
}

function invertByLine(
  { eigenvalues, lineCount: n, traitCount: t }: TraitRecords,
  { genetic, residual }: TraitCovariances,
): { weights: Float64Array; logDeterminant: number } | null {
  const weights = new Float64Array(n * t * t);
  const sum = new Float64Array(t * t);
  const scratch = new Float64Array(t * t);
  let logDeterminant = 0;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < t * t; k++) sum[k] = eigenvalues[i] * genetic[k] + residual[k];
    logDeterminant += invertSmall(sum, t, scratch, { into: weights, offset: i * t * t });
  }
  return Number.isNaN(logDeterminant) ? null : { weights, logDeterminant };
}

/** Cholesky factor of B; null without missing records, undefined where it is not positive definite. */
function factorMissing(records: TraitRecords, weights: Float64Array): CholeskyFactor | null | undefined {
  const { traitCount: t, missingVectors, firstMissing } = records;
  const size = firstMissing[t];
  if (size === 0) return null;
  const b = createMatrix(size, size);
  for (let r = 0; r < t; r++) {
    if (missingVectors[r].rows === 0) continue;
    for (let s = r; s < t; s++) {
      if (missingVectors[s].rows === 0) continue;
      const scaled = scaledColumns(missingVectors[r], weights, { t, place: s * t + r, isRoot: s === r });
      let block: Matrix;
      if (s === r) {
        block = createMatrix(scaled.rows, scaled.rows);
        addOuterProduct(block, scaled);
      } else block = multiply(missingVectors[s], scaled, { transposeB: true });
      for (let j = 0; j < block.columns; j++) {
        const column = block.data.subarray(j * block.rows, (j + 1) * block.rows);
        b.data.set(column, firstMissing[s] + (firstMissing[r] + j) * size);
      }
    }
  }
  try {
    return choleskyInPlace(b);
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return undefined;
    throw error;
  }
}

/** Columns of a matrix times an entry of W_i, or its root, line by line. */
function scaledColumns(
  matrix: Matrix,
  weights: Float64Array,
  { t, place, isRoot }: { t: number; place: number; isRoot: boolean },
): Matrix {
  const { rows, columns } = matrix;
  const scaled = createMatrix(rows, columns);
  for (let i = 0; i < columns; i++) {
    const weight = weights[i * t * t + place];
    const factor = isRoot ? Math.sqrt(weight) : weight;
    for (let j = 0; j < rows; j++) scaled.data[j + i * rows] = factor * matrix.data[j + i * rows];
  }
  return scaled;
}

/** W_i times each vector, line by line; n × tk. */
function timesWeights(weights: Float64Array, t: number, vectors: Matrix): Matrix {
  const { rows: n, columns } = vectors;
  const k = columns / t;
  const product = createMatrix(n, columns);
  for (let s = 0; s < t; s++) {
    for (let r = 0; r < t; r++) {
      for (let j = 0; j < k; j++) {
        const to = (s * k + j) * n;
        const from = (r * k + j) * n;
        for (let i = 0; i < n; i++) {
          product.data[to + i] += weights[i * t * t + s * t + r] * vectors.data[from + i];
        }
      }
    }
  }
  return product;
}

/** V⁻¹ of the records present times vectors, 0 at missing records, in the basis of the eigenvectors; n × tk. */
export function applyInverse(
  records: TraitRecords,
  { weights, missing }: Pick<TraitPoint, 'weights' | 'missing'>,
  vectors: Matrix,
): Matrix {
  const { traitCount: t } = records;
  const solved = timesWeights(weights, t, vectors);
  if (missing === null) return solved;
  const k = vectors.columns / t;
  const there = atMissing(records, solved);
  choleskySolveInPlace(missing, there);
  const back = createMatrix(vectors.rows, vectors.columns);
  for (const [s, own] of records.missingVectors.entries()) {
    if (own.rows === 0) continue;
    multiply(own, rowsOf(there, records.firstMissing[s], own.rows), {
      transposeA: true,
      into: columnBlock(back, s * k, k),
    });
  }
  const taken = timesWeights(weights, t, back).data;
  for (let i = 0; i < taken.length; i++) solved.data[i] -= taken[i];
  return solved;
}

/** Vectors at the missing records, M × k. */
export function atMissing({ missingVectors, firstMissing, traitCount: t }: TraitRecords, vectors: Matrix): Matrix {
  const k = vectors.columns / t;
  const size = firstMissing[t];
  const there = createMatrix(size, k);
  for (const [s, own] of missingVectors.entries()) {
    if (own.rows === 0) continue;
    const { data } = multiply(own, columnBlock(vectors, s * k, k));
    for (let j = 0; j < k; j++) {
      there.data.set(data.subarray(j * own.rows, (j + 1) * own.rows), firstMissing[s] + j * size);
    }
  }
  return there;
}

function rowsOf({ rows, columns, data }: Matrix, first: number, count: number): Matrix {
  const part = createMatrix(count, columns);
  for (let j = 0; j < columns; j++) {
    part.data.set(data.subarray(first + j * rows, first + j * rows + count), j * count);
  }
  return part;
}

/** B⁻¹, both triangles; O(M³). */
export function inverseOfMissing({ lower }: CholeskyFactor): Matrix {
  return choleskyInverseInPlace({ lower: { ...lower, data: lower.data.slice() } });
}

/** Largest share of XᵀPy, which is 0, in what it is the difference of. */
const SOLVED_SHARE = 1e-5;

/**
 * Whether Py is orthogonal to X: with residuals nearly in one line, XᵀV⁻¹X may be singular to rounding and still have
 * a factor, and the likelihood is then any number.
 */
function isSolved(rotated: Matrix, image: Matrix, squares: Matrix, quadratic: number): boolean {
  if (!(quadratic > 0)) return false;
  const { rows: n, columns: t } = image;
  const width = squares.rows;
  for (let c = 1; c < width; c++) {
    let sum = 0;
    for (let s = 0; s < t; s++) {
      const from = (s * width + c) * n;
      for (let i = 0; i < n; i++) sum += rotated.data[from + i] * image.data[s * n + i];
    }
    if (Math.abs(sum) > SOLVED_SHARE * Math.sqrt(squares.data[c * (width + 1)] * quadratic)) return false;
  }
  return true;
}

/** b̂ and its covariance from [y X]ᵀV⁻¹[y X]. */
function solveFixed(squares: Matrix): {
  logX: number;
  coefficients: Float64Array;
  fixedCovariance: Matrix;
  quadratic: number;
} | null {
  const q = squares.rows - 1;
  const information = createMatrix(q, q);
  for (let c = 0; c < q; c++) {
    for (let d = 0; d < q; d++) information.data[d + c * q] = squares.data[d + 1 + (c + 1) * (q + 1)];
  }
  try {
    const factor = choleskyInPlace(information);
    const logX = choleskyLogDeterminant(factor);
    const fixedCovariance = choleskyInverseInPlace(factor);
    const coefficients = new Float64Array(q);
    let explained = 0;
    for (let c = 0; c < q; c++) {
      for (let d = 0; d < q; d++) coefficients[c] += fixedCovariance.data[c + d * q] * squares.data[d + 1];
      explained += coefficients[c] * squares.data[c + 1];
    }
    return { logX, coefficients, fixedCovariance, quadratic: squares.data[0] - explained };
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return null;
    throw error;
  }
}
