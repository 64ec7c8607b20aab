import { type Matrix, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { fitKnownErrors, type KnownErrorFit } from '../mixed-model/fit-known-errors.ts';
import { type Heritability, heritabilityOf } from '../mixed-model/heritability.ts';
import type { ErrorCovariance } from '../mixed-model/whitening.ts';
import {
  createFixedDesign,
  effectsOf,
  type FixedEffect,
  type FixedModel,
  MEAN_ONLY,
  standardErrorsOf,
  structureOf,
} from './fixed-effects.ts';
import { observedPositions } from './rrblup.ts';

/** What is known of the errors of the values of a trait. */
export interface KnownErrors {
  /** Ω of some of the N individuals, in their order. */
  among(individuals: Int32Array): ErrorCovariance;
  /** Fits a variance of lines beside it, of what the kinship does not explain. */
  residualLines: boolean;
}

export interface KnownErrorModel {
  /** N × N over all genotyped individuals. */
  additive: Matrix;
  /** N × N; null without dominance. */
  dominance: Matrix | null;
  /** N values, NaN = not observed. */
  y: Float64Array;
  errors: KnownErrors;
  /** Fixed effects beside the mean; an individual that lacks one must have no observation. */
  fixed?: FixedModel;
}

/** A trait with known errors; vectors have one value for each of the N individuals. */
export interface KnownErrorPrediction {
  n: number;
  mean: number;
  fixed: FixedEffect[];
  varianceAdditive: number;
  varianceDominance: number | null;
  /** Of the error of an average value: Ω, and the residual lines; see `KnownErrorFit`. */
  varianceResidual: number;
  residualLines: KnownErrorFit['residualLines'];
  heritability: Heritability;
  /** Components that ended at 0. */
  atBoundary: ('additive' | 'dominance' | 'residual_lines')[];
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** mean + principal components + additive part. */
  breedingValue: Float64Array;
  /** 1 − PEV/(σ²a A_ii). */
  reliability: Float64Array;
  /** var(û − u) of the additive part. */
  pev: Float64Array;
  /** With the dominance part; null without dominance. */
  genotypic: { value: Float64Array; reliability: Float64Array } | null;
  /** Py, 0 for individuals without observation. */
  weights: Float64Array;
  /** As in `RrblupFit`. */
  structure: { weights: Float64Array; shift: number } | null;
  /** n × c, the fixed effects as fitted. */
  x: Matrix;
}

/**
 * RR-BLUP by REML of values whose errors have a known covariance (see `fitKnownErrors`): the model of
 * `createRrblupModel` and of `fitAdditiveDominance` with R = Ω, or Ω + σ²r·I, in place of σ²e·I. O(n³) an iteration,
 * O(n²N) for the reliabilities.
 *
 * @throws StatgenError `shape-mismatch`, `not-finite`, `too-few-individuals`, `constant-trait`,
 * `errors-not-positive-definite`
 */
export function predictWithKnownErrors(model: KnownErrorModel): KnownErrorPrediction {
  const { additive, dominance, y, errors, fixed = MEAN_ONLY } = model;
  const size = requireSquare(additive, 'the additive kinship');
  const observed = observedPositions(y, size);
  const design = createFixedDesign(fixed, observed);
  const kernels = dominance === null ? [additive] : [additive, dominance];
  const fit = fitKnownErrors({
    kernels: kernels.map((kernel) => selectRowsAndColumns(kernel, observed, observed)),
    omega: errors.among(observed),
    residualLines: errors.residualLines,
    x: design.x,
    y: Float64Array.from(observed, (i) => y[i]),
  });
  const [varianceAdditive, varianceDominance = null] = fit.variances;
  const weights = new Float64Array(size);
  for (const [k, i] of observed.entries()) weights[i] = fit.weights[k];
  const [ofAdditive, ofDominance] = kernels.map((kernel, k) =>
    multiplyVector(kernel, weights).map((value) => value * fit.variances[k]),
  );
  const structure = structureOf(fixed, design, fit.coefficients, size);
  const [mean] = fit.coefficients;
  const breedingValue = ofAdditive.map((value, i) => value + (mean + structure.values[i]));
  const reliabilityOf = (count: number) => reliabilities(fit, observed, kernels.slice(0, count));
  const reliability = reliabilityOf(1);
  return {
    n: observed.length,
    mean,
    fixed: effectsOf(design, fit.coefficients, standardErrorsOf(fit.contrasts, fit.fixedCovariance())),
    varianceAdditive,
    varianceDominance,
    varianceResidual: fit.residual,
    residualLines: fit.residualLines,
    heritability: heritabilityOf(
      { additive: varianceAdditive, dominance: varianceDominance, residual: fit.residual },
      { additive: fit.meanEigenvalues[0], ...(dominance === null ? {} : { dominance: fit.meanEigenvalues[1] }) },
      fit.covariance,
    ),
    atBoundary: [
      ...(['additive', 'dominance'] as const).filter((_, k) => fit.atBoundary[k]),
      ...(fit.residualLines?.atBound === true ? (['residual_lines'] as const) : []),
    ],
    logLikelihood: fit.logLikelihood,
    iterations: fit.iterations,
    converged: fit.converged,
    breedingValue,
    reliability,
    pev: reliability.map((share, i) => varianceAdditive * additive.data[i * (size + 1)] * (1 - share)),
    genotypic:
      ofDominance === undefined
        ? null
        : { value: breedingValue.map((value, i) => value + ofDominance[i]), reliability: reliabilityOf(2) },
    weights,
    structure: fixed.components === null ? null : { weights: structure.weights, shift: structure.shift },
    x: design.x,
  };
}

/** cᵢᵀPcᵢ / var(gᵢ), c the covariance of an individual's genetic value with the values observed. */
function reliabilities(fit: KnownErrorFit, observed: Int32Array, kernels: readonly Matrix[]): Float64Array {
  const size = kernels[0].rows;
  const everyone = Int32Array.from({ length: size }, (_, i) => i);
  const covariance = selectRowsAndColumns(kernels[0], observed, everyone);
  const { data } = covariance;
  for (let i = 0; i < data.length; i++) data[i] *= fit.variances[0];
  for (let k = 1; k < kernels.length; k++) {
    const other = selectRowsAndColumns(kernels[k], observed, everyone).data;
    for (let i = 0; i < data.length; i++) data[i] += fit.variances[k] * other[i];
  }
  const explained = fit.explained(covariance);
  return explained.map((value, j) => {
    const own = kernels.reduce((sum, kernel, k) => sum + fit.variances[k] * kernel.data[j * (size + 1)], 0);
    return own > 0 ? Math.min(1, Math.max(0, value / own)) : 0;
  });
}
