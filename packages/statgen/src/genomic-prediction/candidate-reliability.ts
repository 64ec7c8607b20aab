import { choleskyInPlace, solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, shapeOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { contrastsOf, createErrorContrasts, projectKernel } from '../mixed-model/error-contrasts.ts';
import {
  type ErrorCovariance,
  factorErrors,
  scaleErrors,
  whitenColumns,
  whitenKernel,
} from '../mixed-model/whitening.ts';
import { StatgenError } from '../statgen-error.ts';

/** The parts of a fitted model that determine the reliabilities of other individuals. */
export interface ReliabilityModel {
  /** n × n over the individuals observed, both triangles; one for each genetic component. */
  kernels: readonly Matrix[];
  /** One a kernel. */
  variances: readonly number[];
  residual: number;
  /** R of errors that are not alike; `residual` is then their average. */
  errors?: ErrorCovariance | undefined;
  /** n × c fixed effects, intercept included. */
  x: Matrix;
}

/** Individuals whose reliability is computed. */
export interface Candidates {
  /** n × k a kernel: kinship of the individuals observed to the candidates. */
  across: readonly Matrix[];
  /** k values a kernel: kinship of each candidate to itself. */
  own: readonly Float64Array[];
}

/** Below this residual share, V is numerically singular if individuals share a genotype. REML has the same limit. */
const SMALLEST_RESIDUAL = 1e-9;

/**
 * Reliabilities of individuals that were not in the training: 1 − PEV/var(g) = cᵀPc/var(g), c the covariance of a
 * candidate's genetic value with the observations (Mrode 2014, section 3.4), on error contrasts: P = Q₂(Q₂ᵀVQ₂)⁻¹Q₂ᵀ.
 * O(n³) once, then O(n²) a candidate. Errors that are not alike are divided out first, R^−½.
 *
 * @returns a function that takes candidates and which components make up the value; 0 where that value has no
 * variance
 * @throws StatgenError `shape-mismatch`, `too-few-individuals`, `collinear-fixed-effects`; LinalgError
 * `not-positive-definite`
 */
export function createCandidateReliability(
  model: ReliabilityModel,
): (candidates: Candidates, components: readonly number[]) => Float64Array {
  const { variances, freeCovariance } = prepare(model);
  return ({ across, own }, components) => {
    const { rows: order, data } = freeCovariance(across, components);
    return Float64Array.from(own[0] ?? [], (_, j) => {
      let variance = 0;
      for (const k of components) variance += variances[k] * own[k][j];
      let explained = 0;
      for (let i = 0; i < order; i++) explained += data[i + j * order] ** 2;
      return variance > 0 ? Math.min(1, explained / variance) : 0;
    });
  };
}

/**
 * The whole covariance of the prediction errors var(ĝ − g) = var(g) − CᵀPC of some individuals, those of the training
 * among them or not, in the unit of the trait squared; without the error of the mean, which all share.
 *
 * @returns a function of the kinships of the individuals observed to the k candidates, n × k, and of these among each
 * other, k × k, a kernel each, and of the components of the value
 * @throws as `createCandidateReliability`
 */
export function createErrorCovariance(
  model: ReliabilityModel,
): (across: readonly Matrix[], among: readonly Matrix[], components: readonly number[]) => Matrix {
  const { total, variances, freeCovariance } = prepare(model);
  return (across, among, components) => {
    const free = freeCovariance(across, components);
    const covariance = createMatrix(free.columns, free.columns);
    for (const k of components) {
      for (let i = 0; i < covariance.data.length; i++) covariance.data[i] += variances[k] * among[k].data[i];
    }
    multiply(free, free, { transposeA: true, alpha: -total, beta: total, into: covariance });
    return covariance;
  };
}

/** V of the contrasts, decomposed, and what individuals have in common with the values observed. */
function prepare(model: ReliabilityModel): {
  /** Sum of the variances, by which they are divided. */
  total: number;
  variances: number[];
  /** L⁻¹Q₂ᵀC of n × k kinships, one a kernel. */
  freeCovariance(across: readonly Matrix[], components: readonly number[]): Matrix;
} {
  const { kernels, x, errors } = model;
  const n = x.rows;
  for (const kernel of kernels) {
    if (kernel.rows !== n || kernel.columns !== n) {
      throw new StatgenError('shape-mismatch', `${n} individuals do not fit a kinship of ${shapeOf(kernel)}`);
    }
  }
  // Reliabilities do not depend on the unit of the trait.
  const total = model.variances.reduce((sum, variance) => sum + variance, model.residual);
  const variances = model.variances.map((variance) => (total > 0 ? variance / total : 0));
  const white = errors === undefined ? null : factorErrors(scaleErrors(errors, 1 / model.residual));
  const divided = (columns: Matrix): Matrix => (white === null ? columns : whitenColumns(white, columns));
  const contrasts = createErrorContrasts(divided(x));
  const order = n - contrasts.fixed;
  const v = createMatrix(order, order);
  for (const [k, kernel] of kernels.entries()) {
    if (variances[k] === 0) continue;
    const projected = projectKernel(contrasts, white === null ? kernel : whitenKernel(white, kernel)).data;
    for (let i = 0; i < v.data.length; i++) v.data[i] += variances[k] * projected[i];
  }
  let trace = 0;
  for (let i = 0; i < order; i++) trace += v.data[i + i * order];
  const residual = Math.max(total > 0 ? model.residual / total : 1, (SMALLEST_RESIDUAL * trace) / order);
  for (let i = 0; i < order; i++) v.data[i + i * order] += residual > 0 ? residual : 1;
  const { lower } = choleskyInPlace(v);

  const freeCovariance = (across: readonly Matrix[], components: readonly number[]): Matrix => {
    const count = across[0].columns;
    const covariance = createMatrix(n, count);
    for (const k of components) {
      if (across[k].rows !== n || across[k].columns !== count) {
        throw new StatgenError('shape-mismatch', `${n} individuals do not fit kinships of ${shapeOf(across[k])}`);
      }
      for (let i = 0; i < covariance.data.length; i++) covariance.data[i] += variances[k] * across[k].data[i];
    }
    const free = contrastsOf(contrasts, divided(matrixOf(n, count, covariance.data)));
    solveLowerInPlace(lower, free);
    return free;
  };
  return { total, variances, freeCovariance };
}
