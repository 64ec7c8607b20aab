import { StatgenError } from '../statgen-error.ts';

/** What marker effects are believed to be; `brr` has a normal prior and is the Bayesian form of RR-BLUP. */
export type SamplerModel = 'brr' | 'bayesb' | 'bayescpi' | 'bayesr';
export const SAMPLER_MODELS: readonly SamplerModel[] = ['brr', 'bayesb', 'bayescpi', 'bayesr'];

/** Scaled inverse χ²: the density of σ² is proportional to σ^−(df + 2) exp(−scale/2σ²). */
export interface VariancePrior {
  degrees: number;
  scale: number;
}

/** Of the shares of markers in and out of the model. */
export interface InclusionPrior {
  in: number;
  out: number;
}

/** All priors of a model, in the unit of the trait. */
export type SamplerPriors = { residual: VariancePrior } & (
  | { model: 'brr'; effects: VariancePrior }
  | { model: 'bayescpi'; effects: VariancePrior; inclusion: InclusionPrior }
  | {
      model: 'bayesb';
      /** Of the variance of each effect; its scale has a gamma prior with this shape and rate. */
      degrees: number;
      scale: { shape: number; rate: number };
      inclusion: InclusionPrior;
    }
  | {
      model: 'bayesr';
      /** Of the genetic variance σ²g; an effect of class k has the variance class_k·σ²g/`meanVariance`. */
      genetic: VariancePrior;
      classes: readonly number[];
      /** Dirichlet counts of the classes. */
      counts: readonly number[];
      /** Mean variance of the counts of a marker. */
      meanVariance: number;
    }
);

/** Share of the phenotypic variance given to the markers, degrees of freedom, mean share of markers in the model. */
const R2 = 0.5;
const DEGREES = 5;
const INCLUDED = 0.5;
/** BGLR documents counts of 5, and adds them to 1 in its beta distribution: version 1.1.4 draws Beta(6, 6). */
const INCLUSION_COUNTS = 6;
/** Of the scale in BayesB. */
const SCALE_SHAPE = 1.1;
/** Shares of the genetic variance that a marker of a class has (Erbe et al. 2012, J Dairy Sci 95:4114). */
const CLASSES = [0, 0.0001, 0.001, 0.01];

/**
 * Priors with the rules of the R package BGLR (Pérez & de los Campos 2014, Genetics 198:483): half of the variance of
 * the values is expected to come from the markers, scales have their mode there, and the share of markers in the model
 * is Beta(6, 6). BayesR has the classes of Erbe et al. (2012) with a flat Dirichlet prior, and σ²g the prior that the
 * others give to all markers together.
 *
 * @param variance of the values, divisor n − 1
 * @param markerVariance sum over the markers of the variance of their counts, divisor n
 * @throws StatgenError `constant-trait`, `no-markers-left` where values or markers do not vary
 */
export function defaultPriors(
  model: SamplerModel,
  { variance, markerVariance, m }: { variance: number; markerVariance: number; m: number },
): SamplerPriors {
  if (!(variance > 0)) throw new StatgenError('constant-trait', 'all individuals have the same value', { variance });
  if (!(markerVariance > 0)) {
    throw new StatgenError('no-markers-left', 'no marker varies among the individuals with a value', { m });
  }
  const ofMode = (mode: number): VariancePrior => ({ degrees: DEGREES, scale: mode * (DEGREES + 2) });
  const residual = ofMode(variance * (1 - R2));
  const each = (variance * R2) / markerVariance;
  const inclusion = { in: INCLUSION_COUNTS, out: INCLUSION_COUNTS };
  switch (model) {
    case 'brr':
      return { model, residual, effects: ofMode(each) };
    case 'bayescpi':
      return { model, residual, effects: ofMode(each / INCLUDED), inclusion };
    case 'bayesb': {
      const rate = (SCALE_SHAPE - 1) / ofMode(each / INCLUDED).scale;
      return { model, residual, degrees: DEGREES, scale: { shape: SCALE_SHAPE, rate }, inclusion };
    }
    case 'bayesr':
      return {
        ...{ model, residual, genetic: ofMode(variance * R2), classes: CLASSES },
        counts: CLASSES.map(() => 1),
        meanVariance: markerVariance / m,
      };
  }
}
