import { createRrblupModel } from '@heterosis/statgen/genomic-prediction/rrblup';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import type { ModelSettings } from './trained-model.ts';

/** What REML found for one trait; arrays by the individuals of the kinship. */
export interface TraitVariances {
  n: number;
  mean: number;
  /** σ²a on the scale of the kinship. */
  additive: number;
  dominance: number | null;
  residual: number;
  /** Share of the phenotypic variance within the sample that additive effects explain. */
  h2: number;
  /** With dominance the share of all genetic effects, otherwise h2. */
  H2: number;
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  atBoundary: string[];
  seconds: number;
  gebv: Float64Array;
  reliability: Float64Array;
  /** Py, from which marker effects are built. */
  weights: Float64Array;
}

/**
 * A function that fits one trait after the other over the same kernels; traits observed on the same individuals share the
 * decomposition. The function throws StatgenError for a trait that cannot be fitted.
 */
export function createTraitFitter(
  kinship: KinshipResult,
  settings: ModelSettings,
): (y: Float64Array) => TraitVariances {
  const additive = kinship.kernels[settings.kinship];
  if (additive === undefined) throw new TypeError(`the kinship ${settings.kinship} was not computed`);
  const model = createRrblupModel(additive);
  return (y) => {
    const started = performance.now();
    const fit = model.fit(y);
    return {
      n: fit.n,
      mean: fit.mean,
      additive: fit.varianceAdditive,
      dominance: null,
      residual: fit.varianceResidual,
      h2: fit.explainedShare,
      H2: fit.explainedShare,
      logLikelihood: fit.logLikelihood,
      iterations: fit.iterations,
      converged: fit.converged,
      atBoundary: fit.boundary === 'none' ? [] : [fit.boundary === 'genetic-zero' ? 'additive' : 'residual'],
      seconds: (performance.now() - started) / 1000,
      gebv: fit.gebv,
      reliability: fit.reliability,
      weights: fit.weights,
    };
  };
}
