import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { type Matrix, matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { StatgenError } from '../statgen-error.ts';
import {
  contrastsOf,
  createErrorContrasts,
  type ErrorContrasts,
  fromContrasts,
  partitionKernel,
  projectKernel,
} from './error-contrasts.ts';
import { MINIMUM_INDIVIDUALS, requireUsableTrait } from './fit-reml.ts';
import { type ComponentCovariance, covarianceFrom } from './heritability.ts';
import {
  type SearchLimits,
  SMALLEST_RESIDUAL,
  searchVariances,
  type Theta,
  type TwoVarianceProblem,
  type VarianceState,
} from './two-variance-search.ts';

export interface TwoKernelOptions extends SearchLimits {
  /** n × n each, both triangles; not modified. */
  kernels: readonly [Matrix, Matrix];
  /** n × c fixed effects, intercept included. */
  x: Matrix;
  /** n values, none missing. */
  y: Float64Array;
}

export interface TwoKernelFit {
  /** σ²₁, σ²₂ on the scale of their kernels, σ²e. */
  variances: [number, number, number];
  /** Which of them ended at 0. */
  atBoundary: [boolean, boolean, boolean];
  /** Log density of the error contrasts, constants included. */
  logLikelihood: number;
  iterations: number;
  /** False when time or iterations ran out before convergence. */
  converged: boolean;
  /** Py = V⁻¹(y − Xb̂), n values. */
  weights: Float64Array;
  contrasts: ErrorContrasts;
  /** Cholesky factor of the contrasts' covariance. */
  factor: CholeskyFactor;
  /** Mean eigenvalue of each kernel among the contrasts; 0 for a kernel without variation. */
  meanEigenvalues: [number, number];
  /** Of the variances; null when one of them ended at 0, without convergence, and where they cannot be separated. */
  covariance: ComponentCovariance | null;
}

interface Problem {
  order: number;
  /** Projected kernels, both triangles. */
  parts: [Matrix, Matrix];
  /** Kernels without variation: their variances are 0. */
  isEmpty: readonly boolean[];
  /** The trait's contrasts, mean square 1. */
  z: Float64Array;
}

interface State extends VarianceState {
  factor: CholeskyFactor;
  /** V⁻¹z. */
  solution: Float64Array;
}

/** A kernel that keeps less than this share of its trace after the fixed effects is rounding error. */
const ROUNDING = 1e-12;

/**
 * REML estimates of y = Xb + g₁ + g₂ + e with two kernels on error contrasts, by {@link searchVariances}; O(n³) per
 * iteration. Trait and kernels are scaled first, so the result scales with y and does not change when it is shifted.
 *
 * @throws StatgenError `too-few-individuals`, `constant-trait`, `not-finite`, `shape-mismatch`,
 * `collinear-fixed-effects`
 */
export function fitTwoKernels(options: TwoKernelOptions): TwoKernelFit {
  const { kernels, x, y } = options;
  const n = y.length;
  for (const kernel of [...kernels, { rows: x.rows, columns: x.rows }]) {
    if (kernel.rows !== n || kernel.columns !== n) {
      throw new StatgenError(
        'shape-mismatch',
        `${n} phenotypes do not fit a matrix of ${kernel.rows} × ${kernel.columns}`,
      );
    }
  }
  if (n < MINIMUM_INDIVIDUALS) {
    throw new StatgenError(
      'too-few-individuals',
      `variance components need at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${n}`,
      { n, minimum: MINIMUM_INDIVIDUALS },
    );
  }
  requireUsableTrait(y);
  const contrasts = createErrorContrasts(x);
  const { problem, kernelScales, traitScale } = scaledProblem(contrasts, kernels, y);
  const { state, iterations, converged } = searchVariances(searchable(problem), options);
  const variance = traitScale * traitScale;
  const [first, second, residual] = state.theta;
  const residualZero = residual <= SMALLEST_RESIDUAL;
  const scaled = matrixOf(
    problem.order,
    1,
    state.solution.map((value) => value / traitScale),
  );
  const atBoundary: TwoKernelFit['atBoundary'] = [first === 0, second === 0, residualZero];
  const covariance =
    !converged || atBoundary.includes(true) ? null : componentCovariance(problem, state, kernelScales, variance);
  for (let i = 0; i < state.factor.lower.data.length; i++) state.factor.lower.data[i] *= traitScale;
  return {
    variances: [
      (first * variance) / kernelScales[0],
      (second * variance) / kernelScales[1],
      residualZero ? 0 : residual * variance,
    ],
    atBoundary,
    logLikelihood: state.value - problem.order * Math.log(traitScale),
    iterations,
    converged,
    weights: fromContrasts(contrasts, scaled).data,
    contrasts,
    factor: state.factor,
    meanEigenvalues: [0, 1].map((k) => (problem.isEmpty[k] ? 0 : kernelScales[k])) as [number, number],
    covariance,
  };
}

/**
 * Covariance of the coordinates of X given the contrasts, V₁₁ − V₁₂V₂₂⁻¹V₂₁ (c × c), which is that of their estimates;
 * O(cn²).
 *
 * @param kernels those of the fit
 */
export function fixedCovarianceOf(
  fit: TwoKernelFit,
  kernels: readonly [Matrix, Matrix],
): (i: number, j: number) => number {
  const { contrasts, variances, factor } = fit;
  const [first, second] = kernels.map((kernel) => partitionKernel(contrasts, kernel));
  const sum = (a: Matrix, b: Matrix): Matrix =>
    matrixOf(
      a.rows,
      a.columns,
      a.data.map((value, i) => variances[0] * value + variances[1] * b.data[i]),
    );
  const own = sum(first.fixed, second.fixed);
  const cross = sum(first.cross, second.cross);
  solveLowerInPlace(factor.lower, cross);
  return (i, j) => {
    let known = 0;
    for (let k = 0; k < cross.rows; k++) known += cross.data[k + i * cross.rows] * cross.data[k + j * cross.rows];
    return own.data[Math.max(i, j) + Math.min(i, j) * own.rows] + (i === j ? variances[2] : 0) - known;
  };
}

/**
 * Inverse average information of the variances on the scale of their kernels, with the trait divided by its own
 * scale.
 */
function componentCovariance(
  problem: Problem,
  state: State,
  kernelScales: readonly number[],
  scale: number,
): ComponentCovariance | null {
  const scaleOf = (k: number): number => kernelScales[k] ?? 1;
  const information = averageInformation(state, imagesOf(problem, state)).map((row, k) =>
    row.map((value, l) => value * scaleOf(k) * scaleOf(l)),
  );
  return covarianceFrom(information, scale);
}

function scaledProblem(contrasts: ErrorContrasts, kernels: readonly [Matrix, Matrix], y: Float64Array) {
  const n = y.length;
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - mean);
  const z = contrastsOf(contrasts, matrixOf(n, 1, centred)).data;
  const order = z.length;
  const square = z.reduce((sum, value) => sum + value * value, 0);
  if (!(square > 0)) throw new StatgenError('constant-trait', 'the fixed effects explain the trait completely', { n });
  const traitScale = Math.sqrt(square / order);
  const kernelScales: number[] = [];
  const emptyKernels: boolean[] = [];
  const parts = kernels.map((kernel) => {
    const projected = mirrorLower(projectKernel(contrasts, kernel));
    let trace = 0;
    for (let i = 0; i < order; i++) trace += projected.data[i + i * order];
    let whole = 0;
    for (let i = 0; i < n; i++) whole += kernel.data[i + i * n];
    // A kernel without variation explains nothing; dividing by its rounding error would only amplify that error.
    const isEmpty = !(trace > ROUNDING * whole);
    emptyKernels.push(isEmpty);
    const scale = isEmpty ? 1 : trace / order;
    kernelScales.push(scale);
    for (let i = 0; i < projected.data.length; i++) projected.data[i] /= scale;
    return projected;
  }) as [Matrix, Matrix];
  return {
    problem: { order, parts, isEmpty: emptyKernels, z: z.map((value) => value / traitScale) },
    kernelScales,
    traitScale,
  };
}

/** Likelihood at θ; O(n³/3). */
function evaluate({ order, parts, z }: Problem, theta: Theta): State {
  const v = matrixOf(order, order, new Float64Array(order * order));
  for (let i = 0; i < v.data.length; i++) v.data[i] = theta[0] * parts[0].data[i] + theta[1] * parts[1].data[i];
  for (let i = 0; i < order; i++) v.data[i + i * order] += theta[2];
  const factor = choleskyInPlace(v);
  const solution = z.slice();
  choleskySolveInPlace(factor, matrixOf(order, 1, solution));
  let quadratic = 0;
  for (let i = 0; i < order; i++) quadratic += z[i] * solution[i];
  const value = -0.5 * (order * Math.log(2 * Math.PI) + choleskyLogDeterminant(factor) + quadratic);
  return { theta, value, quadratic, factor, solution };
}

const searchable = (problem: Problem): TwoVarianceProblem<State> => ({
  order: problem.order,
  isEmpty: problem.isEmpty,
  evaluate: (theta) => tryEvaluate(problem, theta),
  derivatives: (state) => derivatives(problem, state),
});

/** Undefined where V is not positive definite: the step was too long. */
function tryEvaluate(problem: Problem, theta: Theta): State | undefined {
  try {
    return evaluate(problem, theta);
  } catch (error) {
    if (error instanceof LinalgError && error.code === 'not-positive-definite') return undefined;
    throw error;
  }
}

/** Gradient −½(tr V⁻¹K − xᵀKx) and average information ½xᵀK·V⁻¹·Kx, x = V⁻¹z. */
function derivatives(problem: Problem, state: State): { gradient: Theta; information: number[][] } {
  const { order, parts } = problem;
  const { factor, solution: x } = state;
  const images = imagesOf(problem, state);
  const information = averageInformation(state, images);
  const inverse = choleskyInverseInPlace({
    lower: matrixOf(order, order, factor.lower.data.slice()),
  });
  let residualTrace = 0;
  for (let i = 0; i < order; i++) residualTrace += inverse.data[i + i * order];
  const traces = [dot(inverse.data, parts[0].data), dot(inverse.data, parts[1].data), residualTrace];
  const gradient = traces.map((trace, k) => -0.5 * (trace - dot(x, images[k]))) as Theta;
  return { gradient, information };
}

/** Kx of each kernel and of the identity, x = V⁻¹z. */
function imagesOf({ parts }: Problem, { solution }: State): Float64Array[] {
  return [multiplyVector(parts[0], solution), multiplyVector(parts[1], solution), solution];
}

function averageInformation({ factor }: State, images: readonly Float64Array[]): number[][] {
  const solved = images.map((image) => {
    const copy = image.slice();
    choleskySolveInPlace(factor, matrixOf(copy.length, 1, copy));
    return copy;
  });
  return images.map((image) => solved.map((other) => 0.5 * dot(image, other)));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
