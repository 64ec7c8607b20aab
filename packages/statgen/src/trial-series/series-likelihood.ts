import { choleskyInPlace, choleskyInverseInPlace, choleskyLogDeterminant } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, packLower, unpackLower } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { StatgenError } from '../statgen-error.ts';
import { addKernelOfRecords, type SeriesData } from './series-data.ts';
import { SeriesWorkspace } from './series-workspace.ts';

/** Values of all parameters of a series. */
export interface SeriesParameters {
  /** The kernel of each factor, P values. Factors of one kernel follow each other. */
  kernelOf: Int32Array;
  /** λ, e × P: trials × factors. */
  loadings: Matrix;
  /** ψ, e × T: trials × kernels, ≥ 0. */
  specific: Matrix;
  /** σ² of the local terms of each trial, ≥ 0. */
  local: readonly Float64Array[];
}

/**
 * The likelihood at one point, and what scores and predictions are made from. Factor p of line i is row i + p·n. It is
 * valid until another is made in the same workspace.
 */
export interface SeriesPoint {
  parameters: SeriesParameters;
  /** −½[(N − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy]. */
  logLikelihood: number;
  /** The lower triangle, packed, of each W_j = (A_j Σ_t ψ_tj K_t A_jᵀ + Σ_m σ²_jm B_jm + Ω_j)⁻¹; see `weightsOf`. */
  weights: readonly Float64Array[];
  /** W_j [y_j X_j], N_j × (1 + q_j) each. */
  weighted: readonly Matrix[];
  /** C = (K⁻¹ + Σ_j λ_jλ_jᵀ ⊗ A_jᵀW_jA_j)⁻¹, Pn × Pn: the covariance of the factors given b and y. */
  inverse: Matrix;
  /** C Σ_j λ_j ⊗ A_jᵀW_j[y_j X_j], Pn × (1 + q). */
  solution: Matrix;
  /** b̂, q values, of the centred trait. */
  fixed: Float64Array;
  /** (XᵀV⁻¹X)⁻¹, q × q. */
  fixedCovariance: Matrix;
}

/**
 * The REML log-likelihood of a series by the blocks of its trials (Woodbury's identity over the factors). With W_j and
 * M = K⁻¹ + Σ_j λ_jλ_jᵀ ⊗ A_jᵀW_jA_j: log|V| = −Σ log|W_j| + log|M| + Σ_p log|K|. O(Σ N_j³ + (Pn)³) time,
 * 8(Σ N_j²/2 + (Pn)²) bytes.
 *
 * @throws StatgenError `not-positive-semidefinite` when a trial's covariance is not positive definite (`trial`),
 * `collinear-fixed-effects`
 */
export function evaluateSeries(
  data: SeriesData,
  parameters: SeriesParameters,
  workspace: SeriesWorkspace = new SeriesWorkspace(),
): SeriesPoint {
  const { lineCount: n, trials, columns, recordCount } = data;
  const factors = parameters.kernelOf.length;
  const q = columns[trials.length];
  const system = workspace.take('inverse', factors * n, factors * n);
  const right = createMatrix(factors * n, 1 + q);
  const squares = createMatrix(1 + q, 1 + q);
  const weights: Float64Array[] = [];
  const weighted: Matrix[] = [];
  let logDeterminant = 0;
  for (const [j, trial] of trials.entries()) {
    const rows = trial.y.length;
    const block = workspace.take('weights', rows, rows);
    addTrialCovariance(block, data, parameters, j);
    let inverse: Matrix;
    try {
      const factor = choleskyInPlace(block);
      logDeterminant += choleskyLogDeterminant(factor);
      inverse = choleskyInverseInPlace(factor);
    } catch (error) {
      if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
      const details = { trial: trial.name };
      const message = `the covariance of the records of trial ${trial.name} is not positive definite`;
      throw new StatgenError('not-positive-semidefinite', message, details);
    }
    const packed = workspace.take(`weights ${j}`, (rows * (rows + 1)) / 2, 1).data;
    packLower(inverse, packed);
    weights.push(packed);
    const own = withValues(data, j);
    const product = multiply(inverse, own);
    weighted.push(product);
    addSquares(squares, multiply(own, product, { transposeA: true }), columns[j]);
    addToRight(right, parameters.loadings, trial.lines, product, j, columns[j], n);
    addToSystem(system, parameters.loadings, trial.lines, inverse, j, n);
  }
  logDeterminant += addInverseKernels(data, parameters, system);
  const factor = choleskyInPlace(system);
  logDeterminant += choleskyLogDeterminant(factor);
  const inverse = choleskyInverseInPlace(factor);
  const solution = multiply(inverse, right);
  multiply(right, solution, { transposeA: true, alpha: -1, beta: 1, into: squares });
  const { fixed, fixedCovariance, logX, quadratic } = solveFixed(squares);
  const logLikelihood = -0.5 * ((recordCount - q) * Math.log(2 * Math.PI) + logDeterminant + logX + quadratic);
  return { parameters, logLikelihood, weights, weighted, inverse, solution, fixed, fixedCovariance };
}

/** W_j of a point, both triangles; valid until another of the same workspace. */
export function weightsOf(
  { trials }: SeriesData,
  { weights }: SeriesPoint,
  j: number,
  workspace: SeriesWorkspace,
): Matrix {
  const rows = trials[j].y.length;
  return unpackLower(weights[j], workspace.take('weights', rows, rows));
}

/** Adds A_j Σ_t ψ_tj K_t A_jᵀ + Σ_m σ²_jm B_jm + Ω_j. */
function addTrialCovariance(block: Matrix, data: SeriesData, { specific, local }: SeriesParameters, j: number): void {
  const { lines, omega, terms } = data.trials[j];
  if (omega !== null) block.data.set(omega.data);
  for (const [t, kernel] of data.kernels.entries()) {
    const variance = specific.data[j + t * specific.rows];
    if (variance > 0) addKernelOfRecords(block, kernel, lines, variance);
  }
  for (const [m, { matrix }] of terms.entries()) addScaled(block, matrix, local[j][m]);
}

/** Adds a multiple of a matrix, or of the identity, in place. */
function addScaled(sum: Matrix, matrix: Matrix | null, factor: number): void {
  const { data, rows } = sum;
  if (matrix === null) for (let i = 0; i < rows; i++) data[i + i * rows] += factor;
  else for (let k = 0; k < data.length; k++) data[k] += factor * matrix.data[k];
}

/** [y_j X_j]. */
function withValues({ trials, centred }: SeriesData, j: number): Matrix {
  const { x } = trials[j];
  const own = createMatrix(x.rows, 1 + x.columns);
  own.data.set(centred[j]);
  own.data.set(x.data, x.rows);
  return own;
}

/** Adds [y_j X_j]ᵀW_j[y_j X_j] at the columns of the trial. */
function addSquares(squares: Matrix, own: Matrix, first: number): void {
  const place = (c: number): number => (c === 0 ? 0 : first + c);
  for (let d = 0; d < own.columns; d++) {
    for (let c = 0; c < own.rows; c++) {
      squares.data[place(c) + place(d) * squares.rows] += own.data[c + d * own.rows];
    }
  }
}

/** Adds λ_j ⊗ A_jᵀW_j[y_j X_j]. */
function addToRight(
  right: Matrix,
  loadings: Matrix,
  lines: Int32Array,
  product: Matrix,
  j: number,
  first: number,
  n: number,
): void {
  for (let p = 0; p < loadings.columns; p++) {
    const loading = loadings.data[j + p * loadings.rows];
    for (let c = 0; c < product.columns; c++) {
      const offset = p * n + (c === 0 ? 0 : first + c) * right.rows;
      for (let i = 0; i < lines.length; i++) {
        right.data[offset + lines[i]] += loading * product.data[i + c * product.rows];
      }
    }
  }
}

/** Adds the lower triangle of λ_jλ_jᵀ ⊗ A_jᵀW_jA_j. */
function addToSystem(system: Matrix, loadings: Matrix, lines: Int32Array, weights: Matrix, j: number, n: number): void {
  const { data, rows } = system;
  for (let a = 0; a < loadings.columns; a++) {
    for (let b = 0; b <= a; b++) {
      const factor = loadings.data[j + a * loadings.rows] * loadings.data[j + b * loadings.rows];
      if (factor === 0) continue;
      for (let l = 0; l < lines.length; l++) {
        const offset = a * n + (b * n + lines[l]) * rows;
        const column = l * weights.rows;
        for (let i = 0; i < lines.length; i++) {
          if (a > b || lines[i] >= lines[l]) data[offset + lines[i]] += factor * weights.data[column + i];
        }
      }
    }
  }
}

/** Adds the inverse kernel of each factor; answers the sum of the log-determinants of the kernels. */
function addInverseKernels({ kernels, lineCount: n }: SeriesData, { kernelOf }: SeriesParameters, system: Matrix) {
  let logs = 0;
  for (const [p, kernel] of kernelOf.entries()) {
    const { inverse, logDeterminant } = kernels[kernel];
    logs += logDeterminant;
    const offset = p * n * (system.rows + 1);
    for (let column = 0; column < n; column++) {
      const start = offset + column * system.rows;
      if (inverse === null) system.data[start + column] += 1;
      else for (let i = column; i < n; i++) system.data[start + i] += inverse.data[i + column * n];
    }
  }
  return logs;
}

/** b̂ and its covariance from [y X]ᵀV⁻¹[y X]. */
function solveFixed(squares: Matrix): {
  fixed: Float64Array;
  fixedCovariance: Matrix;
  logX: number;
  quadratic: number;
} {
  const q = squares.rows - 1;
  const information = createMatrix(q, q);
  for (let c = 0; c < q; c++) {
    for (let d = 0; d < q; d++) information.data[d + c * q] = squares.data[d + 1 + (c + 1) * squares.rows];
  }
  try {
    const factor = choleskyInPlace(information);
    const logX = choleskyLogDeterminant(factor);
    const fixedCovariance = choleskyInverseInPlace(factor);
    const fixed = new Float64Array(q);
    let explained = 0;
    for (let c = 0; c < q; c++) {
      for (let d = 0; d < q; d++) fixed[c] += fixedCovariance.data[c + d * q] * squares.data[d + 1];
      explained += fixed[c] * squares.data[c + 1];
    }
    return { fixed, fixedCovariance, logX, quadratic: squares.data[0] - explained };
  } catch (error) {
    if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
    throw new StatgenError('collinear-fixed-effects', 'a fixed effect of a trial is a combination of others');
  }
}
