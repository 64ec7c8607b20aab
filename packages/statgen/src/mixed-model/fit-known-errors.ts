import {
  type CholeskyFactor,
  choleskyInPlace,
  choleskyInverseInPlace,
  choleskyLogDeterminant,
  choleskySolveInPlace,
  solveLowerInPlace,
} from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { StatgenError } from '../statgen-error.ts';
import {
  contrastsOf,
  createErrorContrasts,
  type ErrorContrasts,
  fixedEffectsOf,
  fromContrasts,
  logVolume,
  partitionKernel,
  projectKernel,
} from './error-contrasts.ts';
import { MINIMUM_INDIVIDUALS, requireUsableTrait } from './fit-reml.ts';
import { type ComponentCovariance, covarianceFrom } from './heritability.ts';
import { maximizeFromStarts, type RemlMaximum, type RemlProblem } from './maximize-reml.ts';
import {
  averageError,
  type ErrorCovariance,
  type ErrorFactor,
  factorErrors,
  whitenColumns,
  whitenIdentity,
  whitenKernel,
} from './whitening.ts';

export interface KnownErrorOptions {
  /** n × n each, both triangles; not modified. */
  kernels: readonly Matrix[];
  /** Ω, the covariance of the errors of the values; not modified. */
  omega: ErrorCovariance;
  /** Fits a variance of lines beside the kernels: R = Ω + σ²r·I in place of R = Ω. */
  residualLines: boolean;
  /** n × c fixed effects, intercept included. */
  x: Matrix;
  /** n values, none missing. */
  y: Float64Array;
}

export interface KnownErrorFit {
  /** One a kernel, on its scale. */
  variances: number[];
  /** σ²r; null where it is not fitted. */
  residualLines: { value: number; standardError: number | null; atBound: boolean } | null;
  /** Mean eigenvalue of R among the error contrasts: the variance of the error of an average value. */
  residual: number;
  /** Which kernels ended at 0. */
  atBoundary: boolean[];
  /** Log density of the error contrasts, constants included. */
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** Py = V⁻¹(y − Xb̂), n values. */
  weights: Float64Array;
  /** b̂, c values, by generalised least squares. */
  coefficients: Float64Array;
  /** Of X after division by the errors, whose triangular factor and coordinates `fixedCovariance` is in. */
  contrasts: ErrorContrasts;
  /** Covariance of the coordinates of X, c × c, as `standardErrorsOf` takes it; O(cn²). */
  fixedCovariance(): (i: number, j: number) => number;
  /** cᵀPc of each column c of C (n × k; overwritten): the variance of g that the values explain. */
  explained(columns: Matrix): Float64Array;
  /** Mean eigenvalue of each kernel among the error contrasts. */
  meanEigenvalues: number[];
  /** Of variances and `residual`; null when one ended at 0, without convergence, and where they are not separable. */
  covariance: ComponentCovariance | null;
}

/** Shares of the variance of the trait that a search starts from, for all variances alike. */
const STARTS = [0.01, 0.2, 1];
/** Largest score at the end, where rounding allows: variances then have ten digits. */
const TOLERANCE = 1e-11;
/** No variance exceeds that of the trait this many times. */
const LARGEST = 1e6;

/**
 * REML estimates of y = Xb + Σ g + r + e with e ~ N(0, Ω) known, g ~ N(0, σ²K) and optionally r ~ N(0, σ²r I): the
 * second stage of an analysis of trials (Piepho, Möhring, Schulz-Streeck & Ogutu 2012, Biom J 54:844; Damesa et al.
 * 2017, Agron J 109:845). Everything is divided by the errors first, Ω^−½, so that V ≥ I: a value with a very large
 * error counts as none. Average information with exact scores; O(n³) an iteration.
 *
 * @throws StatgenError `too-few-individuals`, `constant-trait`, `not-finite`, `shape-mismatch`,
 * `collinear-fixed-effects`, `errors-not-positive-definite`
 */
export function fitKnownErrors(options: KnownErrorOptions): KnownErrorFit {
  const { kernels, omega, x, y, residualLines } = options;
  const n = requireShapes(options);
  requireUsableTrait(y);
  const plain = createErrorContrasts(x);
  const errors = factorErrors(omega);
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = matrixOf(
    n,
    1,
    y.map((value) => value - mean),
  );
  requireVariation(contrastsOf(plain, centred).data, centred.data);
  const contrasts = createErrorContrasts(whitenColumns(errors, x));
  const whiteY = whitenColumns(errors, centred).data;
  const z = contrastsOf(contrasts, matrixOf(n, 1, whiteY)).data;
  const whitened = kernels.map((kernel) => whitenKernel(errors, kernel));
  if (residualLines) whitened.push(whitenIdentity(errors));
  const { problem, units } = createProblem(contrasts, whitened, z);
  const maximum = maximizeFromStarts(
    problem,
    STARTS.map((share) => new Float64Array(whitened.length).fill(share)),
    { tolerance: TOLERANCE },
  );
  if (maximum === null) throw new StatgenError('not-finite', 'the likelihood exists nowhere', { n });
  const all = Array.from(maximum.parameters, (value, k) => value * units[k]);
  const { factor, solution } = problem.solve(maximum.parameters);
  const whiteWeights = fromContrasts(contrasts, matrixOf(z.length, 1, solution)).data;
  const genetic = multiplyVector(sumOf(whitened, all), whiteWeights);
  // y* − X*b̂ = G*Py + Py, and Py is orthogonal to X*.
  const coefficients = fixedEffectsOf(
    contrasts,
    whiteY.map((value, i) => value - genetic[i]),
  );
  coefficients[0] += mean;
  const meanOf = (of: ErrorCovariance): number => averageError(of, x, plain);
  const variances = all.slice(0, kernels.length);
  const atBoundary = variances.map((value) => value === 0);
  const isInside = maximum.converged && !atBoundary.includes(true);
  const covariance = isInside ? covarianceOfComponents(maximum, units, kernels.length) : null;
  const lines = residualLines ? all[kernels.length] : 0;
  return {
    variances,
    residualLines: residualLines ? linesOf(lines, covariance) : null,
    residual: meanOf(omega) + lines,
    atBoundary,
    logLikelihood: maximum.point.logLikelihood - 0.5 * errors.logDeterminant + logVolume(plain) - logVolume(contrasts),
    iterations: maximum.iterations,
    converged: maximum.converged,
    weights: whitenColumns(errors, matrixOf(n, 1, whiteWeights), { transposed: true }).data,
    coefficients,
    contrasts,
    fixedCovariance: () => fixedCovarianceOf(contrasts, sumOf(whitened, all), factor),
    explained: (columns) => explainedBy({ contrasts, errors, factor }, columns),
    meanEigenvalues: kernels.map(meanOf),
    covariance,
  };
}

function requireShapes({ kernels, omega, x, y }: KnownErrorOptions): number {
  const n = y.length;
  const errors = omega instanceof Float64Array ? { rows: omega.length, columns: omega.length } : omega;
  for (const { rows, columns } of [...kernels, errors, { rows: x.rows, columns: x.rows }]) {
    if (rows === n && columns === n) continue;
    throw new StatgenError('shape-mismatch', `${n} phenotypes do not fit a matrix of ${rows} × ${columns}`);
  }
  if (n >= MINIMUM_INDIVIDUALS) return n;
  throw new StatgenError(
    'too-few-individuals',
    `variance components need at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${n}`,
    { n, minimum: MINIMUM_INDIVIDUALS },
  );
}

/** A share of a trait or a kernel below this is rounding. */
const EXPLAINED_SHARE = 1e-13;
const ROUNDING = 1e-12;

function requireVariation(left: Float64Array, all: Float64Array): void {
  if (dot(left, left) > EXPLAINED_SHARE * dot(all, all)) return;
  throw new StatgenError('constant-trait', 'the fixed effects explain the trait completely', { n: all.length });
}

interface SolvableProblem extends RemlProblem {
  /** Cholesky factor of the contrasts' covariance V, and V⁻¹z; the next point overwrites the factor. */
  solve(parameters: Float64Array): { factor: CholeskyFactor; solution: Float64Array };
}

/**
 * The likelihood of contrasts z ~ N(0, Σ θ·unit·K + I): with a θ of 1 a kernel alone has the variance of z. A kernel
 * without variation among the contrasts has the unit 0.
 */
function createProblem(
  contrasts: ErrorContrasts,
  kernels: readonly Matrix[],
  z: Float64Array,
): { problem: SolvableProblem; units: number[] } {
  const order = z.length;
  const parts = kernels.map((kernel) => mirrorLower(projectKernel(contrasts, kernel)));
  const square = Math.max(1, dot(z, z) / order);
  const units = parts.map((part, k) => {
    const trace = traceOf(part);
    return trace > ROUNDING * traceOf(kernels[k]) ? (square * order) / trace : 0;
  });
  const scratch = createMatrix(order, order);
  const solve = (parameters: Float64Array) => {
    const v = sumOf(
      parts,
      units.map((unit, k) => unit * parameters[k]),
      scratch,
    );
    for (let i = 0; i < order; i++) v.data[i * (order + 1)] += 1;
    const factor = choleskyInPlace(v);
    const solution = z.slice();
    choleskySolveInPlace(factor, matrixOf(order, 1, solution));
    return { factor, solution };
  };
  const evaluate: RemlProblem['evaluate'] = (parameters) => {
    const { factor, solution } = solve(parameters);
    const logDeterminant = choleskyLogDeterminant(factor);
    return {
      logLikelihood: -0.5 * (order * Math.log(2 * Math.PI) + logDeterminant + dot(z, solution)),
      derivatives() {
        const images = parts.map((part, k) => multiplyVector(part, solution).map((value) => value * units[k]));
        const solved = images.map((image) => {
          const copy = image.slice();
          choleskySolveInPlace(factor, matrixOf(order, 1, copy));
          return copy;
        });
        const inverse = choleskyInverseInPlace(factor);
        const score = parts.map(
          (part, k) => -0.5 * (units[k] * dot(inverse.data, part.data) - dot(solution, images[k])),
        );
        const information = images.flatMap((image) => solved.map((other) => 0.5 * dot(image, other)));
        return { score: Float64Array.from(score), information: Float64Array.from(information) };
      },
    };
  };
  const lower = new Float64Array(parts.length);
  return { problem: { lower, upper: lower.map(() => LARGEST), solve, evaluate }, units };
}

/**
 * Inverse average information of the variances that are not 0; a known error has none.
 *
 * @param units of the parameters; variances after those of the kernels are no components
 */
export function covarianceOfComponents(
  { point, parameters }: RemlMaximum,
  units: readonly number[],
  kernels: number,
): ComponentCovariance | null {
  const q = parameters.length;
  const free = [...parameters.keys()].filter((k) => parameters[k] > 0);
  const scale = Math.max(...free.map((k) => parameters[k] * units[k]));
  const informationOf = (k: number, l: number): number =>
    point.information[k + l * q] * (scale / units[k]) * (scale / units[l]);
  const found = covarianceFrom(
    free.map((k) => free.map((l) => informationOf(k, l))),
    scale,
  );
  if (found === null) return null;
  const matrix = Array.from({ length: kernels + 1 }, () => Array.from({ length: kernels + 1 }, () => 0));
  for (const [a, k] of free.entries()) for (const [b, l] of free.entries()) matrix[k][l] = found.matrix[a][b];
  return { scale, matrix };
}

function linesOf(value: number, covariance: ComponentCovariance | null): KnownErrorFit['residualLines'] {
  const isAtBound = value === 0;
  const standardError =
    covariance === null || isAtBound ? null : covariance.scale * Math.sqrt(covariance.matrix.at(-1)?.at(-1) ?? 0);
  return { value, standardError, atBound: isAtBound };
}

/** V₁₁ − V₁₂V₂₂⁻¹V₂₁ of V = G + I in the basis of the contrasts. */
function fixedCovarianceOf(
  contrasts: ErrorContrasts,
  genetic: Matrix,
  factor: CholeskyFactor,
): (i: number, j: number) => number {
  const { fixed, cross } = partitionKernel(contrasts, genetic, true);
  solveLowerInPlace(factor.lower, cross);
  const { rows } = cross;
  return (i, j) => {
    const known = dot(cross.data.subarray(i * rows, (i + 1) * rows), cross.data.subarray(j * rows, (j + 1) * rows));
    return fixed.data[Math.max(i, j) + Math.min(i, j) * fixed.rows] + (i === j ? 1 : 0) - known;
  };
}

function explainedBy(
  { contrasts, errors, factor }: { contrasts: ErrorContrasts; errors: ErrorFactor; factor: CholeskyFactor },
  columns: Matrix,
): Float64Array {
  const seen = contrastsOf(contrasts, whitenColumns(errors, columns));
  solveLowerInPlace(factor.lower, seen);
  return Float64Array.from({ length: columns.columns }, (_, j) => {
    const own = seen.data.subarray(j * seen.rows, (j + 1) * seen.rows);
    return dot(own, own);
  });
}

function sumOf(
  matrices: readonly Matrix[],
  factors: readonly number[],
  into: Matrix = createMatrix(matrices[0].rows, matrices[0].columns),
): Matrix {
  const sum = into;
  sum.data.fill(0);
  for (const [k, { data }] of matrices.entries()) {
    const factor = factors[k];
    for (let i = 0; i < data.length; i++) sum.data[i] += factor * data[i];
  }
  return sum;
}

function traceOf({ rows, data }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * (rows + 1)];
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
