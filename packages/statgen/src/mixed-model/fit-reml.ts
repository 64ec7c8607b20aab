import { type Matrix, matrixOf, requireSquare } from '@heterosis/linalg/matrix';
import { applyTridiagonalBasis, type TridiagonalForm, tridiagonalizeInPlace } from '@heterosis/linalg/symmetric-eigen';
import { StatgenError } from '../statgen-error.ts';
import {
  contrastsOf,
  createErrorContrasts,
  type ErrorContrasts,
  fromContrasts,
  partitionKernel,
} from './error-contrasts.ts';
import { type ComponentCovariance, covarianceFrom } from './heritability.ts';
import { TridiagonalLikelihood } from './tridiagonal-likelihood.ts';

/**
 * A kinship free of the fixed effects, in tridiagonal form: all that REML needs, shared by traits of the same
 * individuals.
 */
export interface ReducedKernel {
  contrasts: ErrorContrasts;
  form: TridiagonalForm;
  /** Mean eigenvalue of the kinship among the contrasts: the scale of δ; 0 where individuals do not differ. */
  meanEigenvalue: number;
  /** The kinship among the coordinates of X, c × c, lower triangle. */
  fixed: Matrix;
  /** The kinship between the contrasts, in the tridiagonal basis, and the coordinates of X, (n − c) × c. */
  cross: Matrix;
}

/** Where a variance component ended: inside, or at the edge of what is possible. */
export type VarianceBoundary = 'none' | 'genetic-zero' | 'residual-zero';

export interface RemlFit {
  /** σ²g, on the scale of the kinship given. */
  varianceGenetic: number;
  /** σ²e; 0 at the boundary `residual-zero`. */
  varianceResidual: number;
  /** σ²e/σ²g used in the computations; Infinity at `genetic-zero`. */
  delta: number;
  boundary: VarianceBoundary;
  /** Log density of the error contrasts at the maximum, constants included. */
  logLikelihood: number;
  /** Evaluations of the likelihood. */
  iterations: number;
  /** Py = V⁻¹(y − Xb̂), n values: g = σ²g·K·Py. */
  weights: Float64Array;
  /** Of σ²g and σ²e; null at a boundary and where K is a multiple of the identity among the contrasts. */
  covariance: ComponentCovariance | null;
}

/** With fewer individuals, genetic and residual variance cannot be separated. */
export const MINIMUM_INDIVIDUALS = 10;

/** If less than this share of its trace remains after projecting out the fixed effects, a kinship is rounding error. */
const ROUNDING = 1e-12;
/** Range of δ searched, relative to the mean eigenvalue: beyond it the likelihood is flat to double precision. */
const SMALLEST_DELTA = 1e-9;
const LARGEST_DELTA = 1e7;
/** Grid step of log δ for bracketing maxima; the likelihood is smooth on the scale of log δ ≈ 1. */
const GRID_POINTS = 48;
const MAX_NEWTON_STEPS = 60;
/** Last step of log δ: Newton's error after it is of the order of its square. */
const STEP_TOLERANCE = 1e-8;
/** A trait that varies less than this share of its size is constant to rounding. */
const CONSTANT_SHARE = 1e-13;
/** Sums of squares of larger values would not be finite. */
const LARGEST_VALUE = 1e140;

/**
 * Projects the kinship on the error contrasts of X and reduces it to tridiagonal form, once for any number of traits;
 * O(n³).
 *
 * @param kinship n × n, both triangles; unchanged
 * @param x n × c fixed effects, intercept included
 * @throws StatgenError `too-few-individuals`, `collinear-fixed-effects`, `shape-mismatch`; LinalgError `not-finite`
 */
export function reduceKernel(kinship: Matrix, x: Matrix): ReducedKernel {
  const n = requireSquare(kinship, 'a kinship matrix');
  if (x.rows !== n) {
    throw new StatgenError('shape-mismatch', `the kinship has ${n} individuals, the fixed effects ${x.rows}`);
  }
  if (n < MINIMUM_INDIVIDUALS) {
    throw new StatgenError(
      'too-few-individuals',
      `variance components need at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${n}`,
      { n, minimum: MINIMUM_INDIVIDUALS },
    );
  }
  const contrasts = createErrorContrasts(x);
  const parts = partitionKernel(contrasts, kinship);
  const form = tridiagonalizeInPlace(parts.contrasts);
  applyTridiagonalBasis(form, parts.cross, { transposed: true });
  const sum = form.diagonal.reduce((total, value) => total + value, 0);
  let whole = 0;
  for (let i = 0; i < n; i++) whole += kinship.data[i + i * n];
  // If all individuals have the same genotype, only rounding error remains after the fixed effects.
  const isEmpty = !(sum > ROUNDING * whole);
  const meanEigenvalue = isEmpty ? 0 : sum / form.diagonal.length;
  return { contrasts, form, meanEigenvalue, fixed: parts.fixed, cross: parts.cross };
}

/**
 * REML estimates of y = Xb + g + e, g ~ N(0, σ²g K), e ~ N(0, σ²e I).
 *
 * The likelihood depends on δ = σ²e/σ²g alone once σ²g is profiled out. It is scanned over the whole range of δ, every
 * maximum found is refined by Newton's method kept between its neighbours on the grid, and compared with σ²g = 0.
 * O(n) an evaluation. The result does not change when y is shifted, and scales with it.
 *
 * @param y n values, none missing
 * @throws StatgenError `not-finite`, `constant-trait`
 */
export function fitReml(reduced: ReducedKernel, y: Float64Array): RemlFit {
  const z = reducedTrait(reduced, y);
  const likelihood = new TridiagonalLikelihood(reduced.form.diagonal, reduced.form.offDiagonal, z);
  const estimates = remlEstimates(likelihood, z, reduced.meanEigenvalue);
  const { varianceGenetic, varianceResidual, boundary } = estimates;
  const isZero = boundary === 'genetic-zero';
  return {
    ...estimates,
    weights: isZero
      ? weightsOf(reduced, z, varianceResidual)
      : weightsOf(reduced, likelihood.solution, varianceGenetic),
    covariance: boundary === 'none' ? componentCovariance(reduced.form, likelihood, varianceGenetic) : null,
  };
}

/**
 * The estimates of contrasts z, at which the likelihood is left unless σ²g is zero.
 *
 * @param meanEigenvalue the scale of δ; 0 where individuals do not differ
 */
export function remlEstimates(
  likelihood: TridiagonalLikelihood,
  z: Float64Array,
  meanEigenvalue: number,
): Omit<RemlFit, 'weights' | 'covariance'> {
  const order = z.length;
  const square = z.reduce((sum, value) => sum + value * value, 0);
  const withoutGenetic = -0.5 * order * (Math.log((2 * Math.PI * square) / order) + 1);
  const best = meanEigenvalue > 0 ? maximiseReml(likelihood, meanEigenvalue) : undefined;
  if (best === undefined || best.atUpperEnd || best.value <= withoutGenetic) {
    return {
      varianceGenetic: 0,
      varianceResidual: square / order,
      delta: Number.POSITIVE_INFINITY,
      boundary: 'genetic-zero',
      logLikelihood: withoutGenetic,
      iterations: best?.evaluations ?? 0,
    };
  }
  likelihood.evaluate(best.logDelta);
  const delta = Math.exp(best.logDelta);
  const varianceGenetic = likelihood.quadratic / order;
  return {
    varianceGenetic,
    varianceResidual: best.atLowerEnd ? 0 : delta * varianceGenetic,
    delta,
    boundary: best.atLowerEnd ? 'residual-zero' : 'none',
    logLikelihood: likelihood.value,
    iterations: best.evaluations,
  };
}

/**
 * Inverse of the average information ½(KᵢPy)ᵀP(KⱼPy), K₁ = K and K₂ = I, at the last evaluation of the likelihood. On
 * the contrasts V = σ²g(T + δI), so Py = s/σ²g with s = (T + δI)⁻¹z.
 */
function componentCovariance(
  { diagonal, offDiagonal }: TridiagonalForm,
  likelihood: TridiagonalLikelihood,
  varianceGenetic: number,
): ComponentCovariance | null {
  const order = diagonal.length;
  // Scaled to order 1, independent of the unit of the trait.
  const columns = new Float64Array(2 * order);
  const s = columns.subarray(order);
  for (let i = 0; i < order; i++) s[i] = likelihood.solution[i] / Math.sqrt(varianceGenetic);
  for (let i = 0; i < order; i++) {
    const before = i > 0 ? offDiagonal[i - 1] * s[i - 1] : 0;
    const after = i + 1 < order ? offDiagonal[i] * s[i + 1] : 0;
    columns[i] = before + diagonal[i] * s[i] + after;
  }
  const information = likelihood.bilinearForms(columns).map((row) => row.map((value) => 0.5 * value));
  return covarianceFrom(information, varianceGenetic);
}

/**
 * σ²g·kᵢᵀPkᵢ for each column k: the variance of the prediction of an individual whose kinship to the n analysed
 * is k. Divided by its own kinship it is the reliability 1 − PEV/(σ²g·K_ii).
 *
 * @param rotated the columns, turned by `rotateColumns`
 */
export function explainedKinship(reduced: ReducedKernel, fit: RemlFit, rotated: Matrix): Float64Array {
  if (fit.varianceGenetic === 0) return new Float64Array(rotated.columns);
  const { diagonal, offDiagonal } = reduced.form;
  const likelihood = new TridiagonalLikelihood(diagonal, offDiagonal, new Float64Array(diagonal.length).fill(1));
  likelihood.evaluate(Math.log(fit.delta));
  return likelihood.quadraticForms(rotated.data);
}

/**
 * Schur complement V₁₁ − V₁₂V₂₂⁻¹V₂₁ (c × c): the covariance of the estimates of the coordinates of X.
 */
export function fixedCovariance({ form, fixed, cross }: ReducedKernel, fit: RemlFit): (i: number, j: number) => number {
  if (fit.varianceGenetic === 0) return (i, j) => (i === j ? fit.varianceResidual : 0);
  const likelihood = new TridiagonalLikelihood(form.diagonal, form.offDiagonal, new Float64Array(cross.rows).fill(1));
  likelihood.evaluate(Math.log(fit.delta));
  const known = likelihood.bilinearForms(cross.data);
  return (i, j) => {
    const own = fixed.data[Math.max(i, j) + Math.min(i, j) * fixed.rows];
    return fit.varianceGenetic * (own + (i === j ? fit.delta : 0) - known[i][j]);
  };
}

/** Columns (n × k) in the basis of the tridiagonal form, (n − c) × k, for `explainedKinship`; O(n²k). */
export function rotateColumns(reduced: ReducedKernel, columns: Matrix): Matrix {
  const rotated = contrastsOf(reduced.contrasts, columns);
  applyTridiagonalBasis(reduced.form, rotated, { transposed: true });
  return rotated;
}

/** @throws StatgenError `not-finite`, `constant-trait`, `shape-mismatch` */
export function requireUsableTrait(y: Float64Array): void {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of y) {
    if (!Number.isFinite(value))
      throw new StatgenError('not-finite', `a phenotype value is not a finite number: ${value}`);
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
  }
  const farthest = Math.max(Math.abs(smallest), Math.abs(largest));
  if (farthest > LARGEST_VALUE) {
    throw new StatgenError('not-finite', `a phenotype value is too large to compute with: ${farthest}`);
  }
  if (!(largest - smallest > CONSTANT_SHARE * farthest)) {
    throw new StatgenError('constant-trait', `all ${y.length} individuals have the same value, ${largest}`, {
      n: y.length,
      value: largest,
    });
  }
}

/** Contrasts of y in the tridiagonal basis; the mean goes first, so that a large shift costs no digits. */
function reducedTrait(reduced: ReducedKernel, y: Float64Array): Float64Array {
  const { n } = reduced.contrasts;
  if (y.length !== n)
    throw new StatgenError('shape-mismatch', `the kinship has ${n} individuals, the trait ${y.length}`);
  requireUsableTrait(y);
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - mean);
  const rotated = rotateColumns(reduced, matrixOf(n, 1, centred)).data;
  const left = rotated.reduce((sum, value) => sum + value * value, 0);
  const all = centred.reduce((sum, value) => sum + value * value, 0);
  if (!(left > CONSTANT_SHARE * all)) {
    throw new StatgenError('constant-trait', 'the fixed effects explain the trait completely', { n });
  }
  return rotated;
}

/** A maximum of the profile likelihood over log δ. */
export interface RemlMaximum {
  logDelta: number;
  value: number;
  evaluations: number;
  atLowerEnd: boolean;
  atUpperEnd: boolean;
}

/**
 * The highest maximum of the likelihood over the whole range of δ.
 *
 * @param scale mean eigenvalue of the kinship, > 0: the range is relative to it
 */
export function maximiseReml(likelihood: TridiagonalLikelihood, scale: number): RemlMaximum {
  const low = Math.log(SMALLEST_DELTA * scale);
  const step = (Math.log(LARGEST_DELTA * scale) - low) / (GRID_POINTS - 1);
  let evaluations = GRID_POINTS;
  const best: RemlMaximum = {
    logDelta: low,
    value: Number.NEGATIVE_INFINITY,
    evaluations,
    atLowerEnd: false,
    atUpperEnd: false,
  };
  const consider = (logDelta: number, atLowerEnd: boolean, atUpperEnd: boolean): void => {
    if (likelihood.value > best.value)
      Object.assign(best, { logDelta, value: likelihood.value, atLowerEnd, atUpperEnd });
  };
  let previousSlope = 0;
  for (let point = 0; point < GRID_POINTS; point++) {
    const logDelta = low + point * step;
    likelihood.evaluate(logDelta);
    const { slope } = likelihood;
    if (point === 0 && slope <= 0) consider(logDelta, true, false);
    if (point === GRID_POINTS - 1 && slope > 0) consider(logDelta, false, true);
    if (point > 0 && previousSlope > 0 && slope <= 0) {
      const refined = refine(likelihood, logDelta - step, logDelta);
      evaluations += refined.evaluations;
      consider(refined.logDelta, false, false);
    }
    previousSlope = slope;
  }
  best.evaluations = evaluations;
  return best;
}

/**
 * Root of the slope between `low` (slope > 0) and `high` (slope ≤ 0): Newton, or bisection where Newton leaves the
 * bracket.
 */
function refine(
  likelihood: TridiagonalLikelihood,
  low: number,
  high: number,
): { logDelta: number; evaluations: number } {
  let left = low;
  let right = high;
  let logDelta = 0.5 * (low + high);
  for (let evaluations = 1; ; evaluations++) {
    likelihood.evaluate(logDelta);
    if (likelihood.slope > 0) left = logDelta;
    else right = logDelta;
    const newton = logDelta - likelihood.slope / likelihood.curvature;
    // A step too short to move leaves Newton at an end of the bracket, which is then the maximum.
    const next = likelihood.curvature < 0 && newton >= left && newton <= right ? newton : 0.5 * (left + right);
    const change = Math.abs(next - logDelta);
    if (change <= STEP_TOLERANCE || evaluations === MAX_NEWTON_STEPS) return { logDelta: next, evaluations };
    logDelta = next;
  }
}

/** Py from its coordinates in the tridiagonal basis, divided by σ²g (or σ²e where that is all there is). */
function weightsOf(reduced: ReducedKernel, solution: Float64Array, variance: number): Float64Array {
  const scaled = matrixOf(
    solution.length,
    1,
    solution.map((value) => value / variance),
  );
  applyTridiagonalBasis(reduced.form, scaled, { transposed: false });
  return fromContrasts(reduced.contrasts, scaled).data;
}
