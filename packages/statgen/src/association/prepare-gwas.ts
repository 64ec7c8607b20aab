import { choleskyInPlace, choleskyLogDeterminant } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, requireSquare } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { principalComponents } from '../kinship/principal-components.ts';
import { createErrorContrasts, fromContrasts, logVolume, partitionKernel } from '../mixed-model/error-contrasts.ts';
import { MINIMUM_INDIVIDUALS, maximiseReml, requireUsableTrait } from '../mixed-model/fit-reml.ts';
import { TridiagonalLikelihood } from '../mixed-model/tridiagonal-likelihood.ts';
import {
  averageError,
  type ErrorCovariance,
  type ErrorFactor,
  factorErrors,
  scaleErrors,
  whitenColumns,
  whitenKernel,
} from '../mixed-model/whitening.ts';
import { StatgenError } from '../statgen-error.ts';
import { addCovariates, type CovariateUse } from './add-covariates.ts';
import {
  boundedH2,
  chebyshevSeries,
  type HeritabilityScale,
  h2OfPosition,
  heritabilityScale,
  positionOfH2,
  seriesLength,
} from './chebyshev.ts';
import { NO_MARKER, ProfileLikelihood } from './profile-likelihood.ts';

export interface GwasInput {
  /** n × n kinship of the individuals analysed, computed from the markers tested; both triangles. */
  kinship: Matrix;
  /** Whether the kinship may be overwritten by the basis, so that one n × n matrix less is alive. Default false. */
  overwritesKinship?: boolean;
  /** Traits observed on all n individuals; they share one decomposition. */
  traits: readonly Float64Array[];
  /** Principal components to include as fixed effects: how many of the kinship, or themselves (n × k). */
  principalComponents: number | Matrix;
  /** n × k further fixed effects, without intercept; linearly dependent ones are dropped. */
  covariates?: Matrix;
  /** R of the errors of the values, up to a factor, which is σ²e; default I. */
  errors?: ErrorCovariance | undefined;
}

/** The null model of a trait, without any marker. */
export interface NullModel {
  /** n − fixed values: the trait's error contrasts in the basis of the kinship's eigenvectors. */
  rotated: Float64Array;
  /** REML over the full range 0 … 1, for the score test. */
  scoreH2: number;
  /** σ²g + σ²e of that fit. */
  scoreVariance: number;
  /** REML over 0 … 0.99, the start of WALD. */
  remlH2: number;
  /** Local ML maximum over 0 … 0.99 reached from the REML one, the start of LRT. */
  mlH2: number;
  /** REML log-likelihood at `scoreH2`: log density of the error contrasts. */
  remlLogLikelihood: number;
  /** ML log-likelihood at `mlH2`, constants included. */
  mlLogLikelihood: number;
}

/** Everything a marker test needs: plain data that can be stored and sent to workers. */
export interface GwasNull {
  /** Individuals. */
  n: number;
  /** Fixed effects: intercept, principal components, covariates. */
  fixed: number;
  /** n × (n − fixed), column-major: maps genotypes to contrasts in the basis of the eigenvectors, Gᵀ·basis. */
  basis: Float64Array;
  /** n − fixed eigenvalues of the kinship among the contrasts, ascending. */
  contrastEigenvalues: Float64Array;
  /** fixed × fixed, lower triangle: the kinship among the fixed effects, for the determinant of ML. */
  fixedKernel: Float64Array;
  /** (n − fixed) × fixed: the kinship between the eigenvectors' contrasts and the fixed effects. */
  crossKernel: Float64Array;
  /** n × principal components. */
  axes: Float64Array;
  /** Outcome for each covariate. */
  covariates: CovariateUse[];
  traits: NullModel[];
}

/**
 * Prepares the tests of `createMarkerTester`: projects the fixed effects out of the kinship, decomposes it, K₂ =
 * Q₂ᵀKQ₂ = UDUᵀ, and fits the null model of each trait. O(n³), once for all traits and markers.
 *
 * Errors e ~ N(0, σ²e R) are divided out, R^−½, of traits, fixed effects, kinship and, by the basis, of markers; what
 * follows is the model of independent errors. R is first divided by its mean eigenvalue among the contrasts, so that
 * σ²e is the variance of the error of an average value.
 *
 * @throws StatgenError `shape-mismatch`, `too-few-individuals`, `constant-trait`, `not-finite`,
 * `collinear-fixed-effects`,
 *   `bad-option`; LinalgError `not-finite`, `no-convergence`
 */
export function prepareGwas(input: GwasInput): GwasNull {
  const { kinship, traits, covariates = createMatrix(kinship.rows, 0) } = input;
  const n = requireSquare(kinship, 'a kinship matrix');
  if (n < MINIMUM_INDIVIDUALS) {
    throw new StatgenError(
      'too-few-individuals',
      `an association test needs at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${n}`,
      { n, minimum: MINIMUM_INDIVIDUALS },
    );
  }
  for (const y of traits) {
    if (y.length !== n)
      throw new StatgenError('shape-mismatch', `the kinship has ${n} individuals, a trait ${y.length}`);
    requireUsableTrait(y);
  }
  const { axes, x, uses } = fixedEffectsOf({ ...input, covariates });
  if (n - x.columns < 3) {
    throw new StatgenError(
      'too-few-individuals',
      `${n} individuals cannot estimate ${x.columns} fixed effects, a marker and two variances`,
      { n, fixed: x.columns },
    );
  }
  const white = errorsOf(input.errors, x);
  const contrasts = createErrorContrasts(white === null ? x : whitenColumns(white.factor, x));
  const parts =
    white === null
      ? partitionKernel(contrasts, kinship, input.overwritesKinship)
      : partitionKernel(contrasts, whitenKernel(white.factor, kinship), true);
  const { values: contrastEigenvalues, vectors } = symmetricEigenInPlace(parts.contrasts);
  const cross = multiply(vectors, parts.cross, { transposeA: true });
  const place = new Float64Array(vectors.data.buffer, vectors.data.byteOffset, n * contrastEigenvalues.length);
  const turned = fromContrasts(contrasts, vectors, matrixOf(n, contrastEigenvalues.length, place));
  const basis = white === null ? turned : whitenColumns(white.factor, turned, { transposed: true });
  const prepared = {
    n,
    fixed: x.columns,
    contrastEigenvalues,
    fixedKernel: parts.fixed.data,
    crossKernel: cross.data,
    basis: basis.data,
    axes: axes.data,
    covariates: uses,
  };
  const fit = nullFitter(prepared);
  const shift = white === null ? 0 : white.logVolume - logVolume(contrasts) - 0.5 * white.factor.logDeterminant;
  const nullOf = (rotated: Float64Array): NullModel => {
    const { remlLogLikelihood, ...model } = fit(rotated);
    return { rotated, ...model, remlLogLikelihood: remlLogLikelihood + shift };
  };
  return { ...prepared, traits: traits.map((y) => nullOf(rotateTrait(basis, y))) };
}

/** X of a null model: the intercept, principal components, and the covariates that say anything beside them. */
export function fixedEffectsOf({
  kinship,
  principalComponents: components,
  covariates,
}: Pick<GwasInput, 'kinship' | 'principalComponents'> & { covariates: Matrix }): {
  axes: Matrix;
  x: Matrix;
  uses: CovariateUse[];
} {
  const axes = typeof components === 'number' ? principalComponents(kinship, components).axes : components;
  return { axes, ...addCovariates(interceptAndAxes(kinship.rows, axes), covariates) };
}

/** R of average variance 1 among the contrasts of X, factored, and ½ log|XᵀX|; null where all errors are alike. */
function errorsOf(errors: GwasInput['errors'], x: Matrix): { factor: ErrorFactor; logVolume: number } | null {
  const relative = relativeErrors(errors, x);
  if (relative === null) return null;
  return { factor: factorErrors(relative), logVolume: logVolume(createErrorContrasts(x)) };
}

/**
 * R of average variance 1 among the contrasts of X; null where all errors are alike.
 *
 * @throws StatgenError `collinear-fixed-effects`
 */
export function relativeErrors<Errors extends ErrorCovariance>(errors: Errors | undefined, x: Matrix): Errors | null {
  if (errors === undefined || (errors instanceof Float64Array && errors.every((variance) => variance === errors[0]))) {
    return null;
  }
  return scaleErrors(errors, 1 / averageError(errors, x, createErrorContrasts(x)));
}

/** Chebyshev series of a trait's null model, rebuilt from the stored state on demand. */
export interface NullSeries {
  scale: HeritabilityScale;
  /** Coefficients per series. */
  length: number;
  /** Σ log v over the contrasts' eigenvalues. */
  remlLogDeterminant: Float64Array;
  /** log|V| of all n individuals. */
  mlLogDeterminant: Float64Array;
}

type KernelParts = Pick<GwasNull, 'fixed' | 'contrastEigenvalues' | 'fixedKernel' | 'crossKernel'>;

/** The whole interval of h² that WALD and LRT search. */
export function wholeScale(state: KernelParts): HeritabilityScale {
  // No eigenvalue of the whole kinship exceeds that of the 2 × 2 matrix of the norms of its blocks.
  const { fixed, contrastEigenvalues, fixedKernel, crossKernel } = state;
  const largest = Math.max(0, contrastEigenvalues[contrastEigenvalues.length - 1]);
  let trace = 0;
  for (let k = 0; k < fixed; k++) trace += Math.max(0, fixedKernel[k * fixed + k]);
  const cross = crossKernel.reduce((sum, value) => sum + value * value, 0);
  return heritabilityScale(0.5 * (largest + trace) + Math.sqrt(0.25 * (largest - trace) ** 2 + cross));
}

/** The determinants of a prepared analysis on the whole interval or a part of it. */
export function nullSeries(state: KernelParts, scale: HeritabilityScale): NullSeries {
  const length = seriesLength(scale);
  const seriesOf = (logDeterminant: (state: KernelParts, h2: number) => number) =>
    chebyshevSeries(scale, length, (s) => logDeterminant(state, h2OfPosition(scale, s)));
  const remlLogDeterminant = seriesOf(contrastLogDeterminant);
  const complement = seriesOf(complementLogDeterminant);
  return { scale, length, remlLogDeterminant, mlLogDeterminant: remlLogDeterminant.map((c, k) => c + complement[k]) };
}

function contrastLogDeterminant({ contrastEigenvalues: d }: KernelParts, h2: number): number {
  let sum = 0;
  for (let i = 0; i < d.length; i++) sum += Math.log1p(h2 * (d[i] - 1));
  return sum;
}

/**
 * log|V| − log|V₂₂| of V = h²K + (1 − h²)I, where V₂₂ is the block of the contrasts: the determinant of the Schur
 * complement V₁₁ − V₁₂V₂₂⁻¹V₂₁, whose order is the number of fixed effects. This avoids the eigenvalues of the whole
 * kinship.
 */
function complementLogDeterminant(state: KernelParts, h2: number): number {
  const { fixed, contrastEigenvalues: d, fixedKernel, crossKernel } = state;
  const order = d.length;
  const scaled = matrixOf(order, fixed, crossKernel.slice());
  for (let k = 0; k < fixed; k++) {
    for (let i = 0; i < order; i++) scaled.data[i + k * order] *= (h2 * h2) / (1 + h2 * (d[i] - 1));
  }
  const explained = multiply(scaled, matrixOf(order, fixed, crossKernel), { transposeA: true });
  const complement = createMatrix(fixed, fixed);
  for (let j = 0; j < fixed; j++) {
    for (let i = j; i < fixed; i++) {
      const at = i + j * fixed;
      complement.data[at] = h2 * fixedKernel[at] + (i === j ? 1 - h2 : 0) - explained.data[at];
    }
  }
  return choleskyLogDeterminant(choleskyInPlace(complement));
}

/** Coefficients of yᵀWy of a rotated trait. */
export function traitSeries(
  series: NullSeries,
  contrastEigenvalues: Float64Array,
  rotated: Float64Array,
): Float64Array {
  return chebyshevSeries(series.scale, series.length, (s) => {
    const h2 = h2OfPosition(series.scale, s);
    let sum = 0;
    for (let i = 0; i < rotated.length; i++) sum += rotated[i] ** 2 / (1 + h2 * (contrastEigenvalues[i] - 1));
    return sum;
  });
}

function interceptAndAxes(n: number, axes: Matrix): Matrix {
  const x = createMatrix(n, 1 + axes.columns);
  x.data.fill(1, 0, n);
  x.data.set(axes.data, n);
  return x;
}

function rotateTrait(basis: Matrix, y: Float64Array): Float64Array {
  const n = y.length;
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - mean);
  const rotated = multiply(basis, matrixOf(n, 1, centred), { transposeA: true }).data;
  const left = rotated.reduce((sum, value) => sum + value * value, 0);
  const all = centred.reduce((sum, value) => sum + value * value, 0);
  if (!(left > EXPLAINED_SHARE * all)) {
    throw new StatgenError('constant-trait', 'the fixed effects explain the trait completely', { n });
  }
  return rotated;
}

/** A residual below this share of the trait's variance is rounding error. */
const EXPLAINED_SHARE = 1e-13;
/** Starting points of the search for the REML maximum over the bounded range. */
const STARTS = 16;

/** Fits the null model of rotated traits; what they share is computed once. */
export function nullFitter(
  state: KernelParts & Pick<GwasNull, 'n'>,
): (rotated: Float64Array) => Omit<NullModel, 'rotated'> {
  const { n, contrastEigenvalues } = state;
  const order = contrastEigenvalues.length;
  const series = nullSeries(state, wholeScale(state));
  const { scale } = series;
  const constant = -0.5 * n * (Math.log((2 * Math.PI) / n) + 1);
  return (rotated) => {
    const common = { scale, c: traitSeries(series, contrastEigenvalues, rotated), reml: false };
    const reml = new ProfileLikelihood({ ...common, logDeterminant: series.remlLogDeterminant, power: order });
    let best = { s: scale.low, value: Number.NEGATIVE_INFINITY };
    for (let point = 0; point <= STARTS; point++) {
      const start = scale.low + (point / STARTS) * (scale.high - scale.low);
      const s = reml.climb(start, NO_MARKER, 0, NO_MARKER, 0);
      if (reml.value > best.value) best = { s, value: reml.value };
    }
    const ml = new ProfileLikelihood({ ...common, logDeterminant: series.mlLogDeterminant, power: n });
    const mlPosition = ml.climb(best.s, NO_MARKER, 0, NO_MARKER, 0);
    return {
      ...scoreModel(contrastEigenvalues, rotated),
      remlH2: boundedH2(best.s, scale),
      mlH2: boundedH2(mlPosition, scale),
      mlLogLikelihood: ml.value + constant,
    };
  };
}

/** REML over all of 0 ≤ h² < 1, the variances of the score test. */
function scoreModel(
  eigenvalues: Float64Array,
  rotated: Float64Array,
): Pick<NullModel, 'scoreH2' | 'scoreVariance' | 'remlLogLikelihood'> {
  const order = rotated.length;
  const likelihood = new TridiagonalLikelihood(eigenvalues, new Float64Array(Math.max(0, order - 1)), rotated);
  const mean = eigenvalues.reduce((sum, value) => sum + value, 0) / order;
  const square = rotated.reduce((sum, value) => sum + value * value, 0);
  const without = -0.5 * order * (Math.log((2 * Math.PI * square) / order) + 1);
  const found = mean > 0 ? maximiseReml(likelihood, mean) : undefined;
  if (found === undefined || found.atUpperEnd || found.value <= without) {
    return { scoreH2: 0, scoreVariance: square / order, remlLogLikelihood: without };
  }
  likelihood.evaluate(found.logDelta);
  const delta = Math.exp(found.logDelta);
  const varianceGenetic = likelihood.quadratic / order;
  return {
    scoreH2: 1 / (1 + delta),
    scoreVariance: varianceGenetic * (1 + delta),
    remlLogLikelihood: likelihood.value,
  };
}

/** Starting points of the WALD and LRT searches. */
export function startPositions(scale: HeritabilityScale, model: NullModel): { reml: number; ml: number } {
  return { reml: positionOfH2(scale, model.remlH2), ml: positionOfH2(scale, model.mlH2) };
}
