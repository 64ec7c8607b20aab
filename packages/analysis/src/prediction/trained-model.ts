import type { ErrorExtra } from '../describe-error.ts';
import type { Engine } from '../engine/engine-task.ts';
import type { CovariateChoice } from '../inputs/covariates.ts';
import type { LeftOut } from '../inputs/leaving-out.ts';

/**
 * Of the model file. Version 1 named the share of the phenotypic variance h2, had no standard errors and no covariates,
 * and kept genotypic values under the name of breeding values.
 */
export const MODEL_VERSION = 2;

/** A genomic prediction model: everything a prediction or a report needs, nothing of the files it came from. */
export interface TrainedModel {
  format: 'heterosis-model';
  version: typeof MODEL_VERSION;
  settings: ModelSettings;
  /** The markers that passed the filters, in panel order. */
  markers: ModelMarkers;
  /**
   * All genotyped individuals of the training panel, phenotyped or not, in panel order; with a pedigree then those
   * without genotype.
   */
  individuals: string[];
  /**
   * `file`: kinships were given, so that there are no markers and no marker effects. `pedigree`: single-step
   * prediction; marker effects carry what the markers explain, without the pedigree's share.
   */
  kinshipFrom: 'markers' | 'file' | 'pedigree';
  /** How the model was computed, and why so; absent in models of before 1.2. The numbers do not depend on it. */
  engine?: { name: Engine; reason: string };
  /** Only with a pedigree. */
  singleStep?: SingleStepFigures;
  /** Of a model that was fitted to several traits together. */
  multiTrait?: MultiTraitFigures;
  /** What lists and rules left out of the panel before the training; absent where nothing was asked for. */
  leftOut?: LeftOut;
  /** Markers of the panel before the filters. */
  markersRead: number;
  /** Missing calls among the markers kept that were set to the marker mean. */
  imputedCalls: number;
  traits: TrainedTrait[];
}

/** Covariances between traits that were fitted together, in the order of `traits`; field names of the API. */
export interface MultiTraitFigures {
  traits: string[];
  /** G, on the scale of the kinship, and R. */
  genetic_covariance: number[][];
  residual_covariance: number[][];
  /** By average information; null at a boundary and without convergence. */
  genetic_covariance_se: number[][] | null;
  residual_covariance_se: number[][] | null;
  genetic_correlation: { value: number; se: number | null }[][];
  /** Null for traits that no line has both of, whose residual covariance is 0. */
  residual_correlation: { value: number | null; se: number | null }[][];
  /** What standard errors rest on. */
  information: 'average';
  /** −½[(N − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy]. */
  log_likelihood: number;
  /** The same with ½ log|XᵀX| of each trait, as a model of one trait has it. */
  log_likelihood_contrasts: number;
  starts: number[];
  iterations: number;
  converged: boolean;
  at_boundary: ('genetic' | 'residual')[];
  /** Error variances of the individuals relative to each other; null where they are the same. */
  error_weights: number[] | null;
  /** Of a factor-analytic G = ΛΛᵀ + Ψ: Λ by trait, and the diagonal of Ψ; absent where G is unstructured. */
  factors?: { loadings: number[][]; specific: number[] };
}

/** How a pedigree and markers were combined; field names of the API. */
export interface SingleStepFigures {
  /** Individuals of the model with genotype, in the order of its individuals. */
  genotyped: number;
  /** Individuals with genotype that the pedigree lacks: they count as unrelated founders. */
  without_pedigree: number;
  /** Individuals of the pedigree that are neither genotyped nor phenotyped and found no place in the model. */
  left_out: number;
  /** G* = (1 − pedigree_weight)(shift + factor·G) + pedigree_weight·A22. */
  shift: number;
  factor: number;
  pedigree_weight: number;
}

export interface ModelSettings {
  dominance: boolean;
  kinship: 'vanraden1' | 'standardized';
  maf: number;
  callRate: number;
  /** Cap on the search for variance components, in seconds; null for none. */
  optimizeSeconds: number | null;
  /** Columns of the phenotype file fitted as fixed effects. */
  covariates: readonly (string | CovariateChoice)[];
  /** Leading principal components of the kinship of all genotyped individuals fitted as fixed effects. */
  principalComponents: number;
}

/** One fixed effect besides the mean, with the field names of the API. */
export interface FixedEffectFigures {
  /** Column of the phenotype file, or PC1, PC2 … */
  name: string;
  /** The group whose difference from the reference of its column this is; null for numbers and components. */
  group: string | null;
  reference: string | null;
  /** `constant` and `explained` (by those before it) are left out of the model. */
  use: 'used' | 'constant' | 'explained';
  /** Per unit of the column; 0 where it is left out. */
  estimate: number;
  standard_error: number;
}

/** One entry a marker. Effects count copies of A2. */
export interface ModelMarkers {
  /** Copies of A2 in a homozygote; 2 unless told. */
  ploidy?: number;
  id: string[];
  chromosome: string[];
  /** Base pairs; 0 when unknown. */
  positionBp: Float64Array;
  a1: string[];
  a2: string[];
  /**
   * Frequency of A2 among the non-missing calls of the genotyped individuals; this times the ploidy is the
   * value of a missing call.
   */
  freqA2: Float64Array;
  /**
   * What a missing call counts of a dominance effect: the share of heterozygotes among those calls; in polyploids of
   * ploidy k the mean of 4x(k − x)/k² at equilibrium, 4(k − 1)/k·p(1 − p).
   */
  heterozygosity: Float64Array;
}

export interface TrainedTrait {
  name: string;
  unit: string | null;
  /** Why there is no fit; null when there is one. */
  error: ErrorExtra | null;
  fit: TraitFit | null;
}

export interface TraitFit {
  /** Individuals with genotype and value. */
  n: number;
  /** Markers with an effect. */
  m: number;
  /**
   * Value = intercept + Σ dosage·additive + Σ [heterozygous]·dominance, on raw dosages: GEBV, or genotypic value. In
   * polyploids of ploidy k, [heterozygous] of x copies is 4x(k − x)/k².
   */
  intercept: number;
  additive: Float64Array;
  dominance: Float64Array | null;
  /**
   * With dominance, the frequencies p of A2 for which breeding values hold: those of the individuals observed (of all
   * genotyped in a model of version 1). Null without.
   */
  frequencyA2: Float64Array | null;
  /** Values hold for an individual with average covariates, a factor averaged over the individuals observed. */
  fixedEffects: FixedEffectFigures[];
  /**
   * Fixed effects as fitted, one array a column besides the intercept, by the individuals observed: for
   * reliabilities.
   */
  design: Float64Array[];
  /** Individuals with genotype and value that lack a covariate and take no part. */
  withoutCovariate: number;
  variance: TraitVariance;
  /** Broad-sense heritability (σ²a + σ²d)/(σ²a + σ²d + σ²e); equals h2 without dominance. */
  H2: number;
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** Variance components that ended at zero. */
  atBoundary: string[];
  /**
   * That the search took; 0 in a model read from a file, which does not keep it: the same input gives the same bytes.
   */
  seconds: number;
  /** Breeding values by `individuals` of the model; NaN in a model of version 1 with dominance. */
  gebv: Float64Array;
  /** 1 − PEV/σ² of the breeding value; NaN where it cannot be given. */
  reliability: Float64Array;
  /**
   * Prediction error variances of the breeding values, without that of the mean, which all share; NaN where they cannot
   * be given. Absent in a file that was written before they were kept.
   */
  pev?: Float64Array;
  /** With dominance, what an individual itself is expected to show: mean, additive and dominance part. Null without. */
  genotypic: { value: Float64Array; reliability: Float64Array } | null;
  /** The phenotype used; NaN for individuals without one. */
  observed: Float64Array;
  /** Of a model by sampling. `variance` then has posterior means, the additive one among the individuals observed. */
  sampling?: SamplingFigures;
  /** Of a model by a kernel; `additive` then has the effects of markers with fixed effects alone. */
  kernel?: KernelFigures;
  /** Of values with known errors; absent where one residual variance was estimated for all. */
  errors?: FittedErrors;
}

/**
 * Of a model by a kernel of the distances between marker codes: the value of c is intercept + Σ_j count·additive +
 * σ²·Σ_i K(c, i)·weights_i over the individuals i of the training, σ² = `variance.additive`. K is the kernel less its
 * means over all of them, over the mean of what they then have with themselves. Field names of the API.
 */
export interface KernelFigures {
  model: 'gaussian' | 'kernel-average';
  /** The kernel is the mean of exp(−h·D²/median_distance) over these h. */
  bandwidths: number[];
  /** Of D² = Σ_j (difference in copies of A2)² over all pairs of individuals; missing calls have the marker mean. */
  median_distance: number;
  /** REML log-likelihoods of the bandwidths of a grid; empty where none was chosen. */
  profile: { bandwidth: number; log_likelihood: number }[];
  /** The likelihood is largest at an end of the grid. */
  is_at_end: boolean;
  /** Py by individual of the model, 0 for those without value. */
  weights: Float64Array;
}

/** How chains agree about a quantity; field names of the API. */
export interface Agreement {
  mean: number;
  /** Posterior standard deviation. */
  sd: number;
  r_hat: number;
  effective_size: number;
  /** Of the mean. */
  monte_carlo_error: number;
}

/** Of a model whose effects were sampled; `additive` of the fit has their posterior means. */
export interface SamplingFigures {
  model: 'brr' | 'bayesb' | 'bayescpi' | 'bayesr';
  chains: number;
  /** Of each chain, with the burn-in. */
  cycles: number;
  burn_in: number;
  seed: number;
  stopped_early: boolean;
  residual_variance: Agreement;
  /** Of the breeding values of the individuals observed. */
  genetic_variance: Agreement;
  /** Markers with an effect; null where all have one. */
  markers_included: Agreement | null;
  /** The largest R̂ among the breeding values of individuals. */
  gebv_r_hat: number;
  /** Whether every R̂ is at most 1.01, with 400 effective draws and more. */
  has_met: boolean;
  /** By marker: posterior inclusion probability, its Monte-Carlo error (NaN with one chain), s.d. of the effect. */
  inclusion: Float64Array;
  inclusion_error: Float64Array;
  effect_sd: Float64Array;
  /** Posterior standard deviations of the breeding values, by individual of the model. */
  gebv_sd: Float64Array;
}

/** Known errors e ~ N(0, R), R = Ω or Ω + σ²r·I; `variance.residual` is the mean eigenvalue of R among contrasts. */
export interface FittedErrors {
  from: 'covariance' | 'standard errors';
  /** σ²r, of lines beside the kinship; null where it was not fitted. */
  residual_lines: { value: number; standard_error: number | null; at_bound: boolean } | null;
  /** Of independent errors, the diagonal of R by the individuals observed; of others its lower triangle by columns. */
  covariance: Float64Array;
}

/** Variance components and what follows from them, spelled as the API spells it; see `heritabilityOf` of statgen. */
export interface TraitVariance {
  additive: number;
  dominance: number | null;
  residual: number;
  /** σ²a/(σ²a + σ²d + σ²e), the ratio of the components above. */
  h2: number;
  /** Share of the phenotypic variance of the individuals observed that additive effects explain. */
  kinship_pve: number;
  /** The share that dominance explains; null without dominance. */
  dominance_pve: number | null;
  /** Null at a boundary, before convergence, and in models of version 1. */
  standard_errors: {
    additive: number;
    dominance: number | null;
    residual: number;
    h2: number;
    H2: number;
    kinship_pve: number;
    dominance_pve: number | null;
  } | null;
}
