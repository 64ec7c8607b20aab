import { fitAdditiveDominance, requireHeterozygotes } from '@heterosis/statgen/genomic-prediction/additive-dominance';
import type { FixedEffect, FixedModel } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { type KnownErrors, predictWithKnownErrors } from '@heterosis/statgen/genomic-prediction/known-errors';
import { createRrblupModel, type RrblupModel } from '@heterosis/statgen/genomic-prediction/rrblup';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import type { KnownErrorFit } from '@heterosis/statgen/mixed-model/fit-known-errors';
import type { Heritability } from '@heterosis/statgen/mixed-model/heritability';
import type { AlignedCovariate } from '../inputs/covariates.ts';
import type { ModelSettings } from './trained-model.ts';
import { fixedModelOf } from './training-data.ts';

/** What REML found for one trait; arrays by the individuals of the kinship. */
export interface TraitVariances {
  n: number;
  mean: number;
  /** σ²a on the scale of the kinship. */
  additive: number;
  dominance: number | null;
  residual: number;
  heritability: Heritability;
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** The variance of lines beside known errors; null where it is not fitted. */
  residualLines: KnownErrorFit['residualLines'];
  /** Components that ended at zero: additive, dominance, residual, residual_lines. */
  atBoundary: string[];
  seconds: number;
  /** Breeding values: mean and additive part. */
  gebv: Float64Array;
  reliability: Float64Array;
  /** Prediction error variance of the breeding value, without that of the mean. */
  pev: Float64Array;
  /** With dominance the expected value of the individual itself: mean, additive and dominance part. */
  genotypic: { value: Float64Array; reliability: Float64Array } | null;
  /** Py, from which marker effects are built. */
  weights: Float64Array;
  /** The part of principal components in values, see `RrblupFit`. */
  structure: { weights: Float64Array; shift: number } | null;
  fixed: FixedEffect[];
  /** n × c, the fixed effects as fitted. */
  x: { rows: number; columns: number; data: Float64Array };
}

/**
 * A function that fits one trait after the other over the same kernels, with known errors or without; traits observed
 * on the same individuals share the decomposition. The function throws StatgenError for a trait that cannot be fitted,
 * also where it has no heterozygotes to learn dominance from.
 */
export function createTraitFitter(
  kinship: KinshipResult,
  settings: ModelSettings,
  covariates: readonly AlignedCovariate[],
): (y: Float64Array, errors: KnownErrors | null) => TraitVariances {
  const additive = kinship.kernels[settings.kinship];
  if (additive === undefined) throw new TypeError(`the kinship ${settings.kinship} was not computed`);
  const fixed = fixedModelOf(covariates, additive, settings);
  const plain = settings.dominance
    ? dominanceFitter(kinship, additive, fixed, settings)
    : additiveFitter(createRrblupModel(additive, fixed));
  return (y, errors) => {
    if (errors === null) return plain(y);
    const started = performance.now();
    if (settings.dominance) requireHeterozygotes(kinship, observedCount(y));
    const dominance = settings.dominance ? (kinship.kernels.dominance ?? null) : null;
    const { breedingValue, varianceAdditive, varianceDominance, varianceResidual, ...fit } = predictWithKnownErrors({
      ...{ additive, dominance, y, errors, fixed },
    });
    return {
      ...fit,
      additive: varianceAdditive,
      dominance: varianceDominance,
      residual: varianceResidual,
      gebv: breedingValue,
      seconds: (performance.now() - started) / 1000,
    };
  };
}

function additiveFitter(model: RrblupModel): (y: Float64Array) => TraitVariances {
  return (y) => {
    const started = performance.now();
    const fit = model.fit(y);
    return {
      n: fit.n,
      mean: fit.mean,
      additive: fit.varianceAdditive,
      dominance: null,
      residual: fit.varianceResidual,
      residualLines: null,
      heritability: fit.heritability,
      logLikelihood: fit.logLikelihood,
      iterations: fit.iterations,
      converged: fit.converged,
      atBoundary: fit.boundary === 'none' ? [] : [fit.boundary === 'genetic-zero' ? 'additive' : 'residual'],
      seconds: (performance.now() - started) / 1000,
      gebv: fit.gebv,
      reliability: fit.reliability,
      pev: fit.pev,
      genotypic: null,
      weights: fit.weights,
      structure: fit.structure,
      fixed: fit.fixed,
      x: fit.x,
    };
  };
}

function dominanceFitter(
  kinship: KinshipResult,
  additive: NonNullable<KinshipResult['kernels']['vanraden1']>,
  fixed: FixedModel,
  settings: ModelSettings,
): (y: Float64Array) => TraitVariances {
  const { dominance } = kinship.kernels;
  if (dominance === undefined) throw new TypeError('the dominance kinship was not computed');
  const { optimizeSeconds } = settings;
  return (y) => {
    const started = performance.now();
    requireHeterozygotes(kinship, observedCount(y));
    const fit = fitAdditiveDominance({
      additive,
      dominance,
      y,
      fixed,
      now: () => performance.now(),
      ...(optimizeSeconds === null ? {} : { optimizeSeconds }),
    });
    return {
      n: fit.n,
      mean: fit.mean,
      additive: fit.varianceAdditive,
      dominance: fit.varianceDominance,
      residual: fit.varianceResidual,
      residualLines: null,
      heritability: fit.heritability,
      logLikelihood: fit.logLikelihood,
      iterations: fit.iterations,
      converged: fit.converged,
      atBoundary: fit.boundary.map((component) => component.replace('-zero', '')),
      seconds: (performance.now() - started) / 1000,
      gebv: fit.breedingValue,
      reliability: fit.reliability,
      pev: fit.pev,
      genotypic: { value: fit.genotypicValue, reliability: fit.genotypicReliability },
      weights: fit.weights,
      structure: fit.structure,
      fixed: fit.fixed,
      x: fit.x,
    };
  };
}

/** Individuals with a value. */
export function observedCount(y: Float64Array): number {
  return y.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
}
