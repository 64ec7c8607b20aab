import * as z from 'zod';
import { id, name, pageQuery, reference, timestamp, trait } from '../common.ts';
import { refusedTogether } from '../options/model-types.ts';
import { MODEL_OPTIONS } from '../options/models.ts';
import { bodyShape, storedShape, withoutComplaints } from '../options/option-schemas.ts';
import { engineChoice } from './estimates.ts';
import { exclusions, leftOut, leftOutOfRun } from './exclusions.ts';
import { covariateKinds, knownErrors } from './gwas.ts';
import { byTrait, errorExtra, progress, provenance, renames } from './runs.ts';

export const modelStatus = z.enum(['TRAINING', 'TRAINED', 'EVALUATING', 'EVALUATED', 'ERROR']);
export type ModelStatus = z.infer<typeof modelStatus>;

const meanSd = z.object({ mean: z.number().nullable(), sd: z.number().nullable() }).meta({
  id: 'MeanSd',
  description: 'Over the repetitions of the cross-validation; null where it cannot be computed.',
});

const accuracyEstimate = z
  .object({
    value: z.number().describe('r / √h². Not cut off at 1, see `note`.'),
    h2: z.number().describe('The heritability divided by, 0–1.'),
    basis: z
      .enum(['cullis', 'entry-mean', 'genomic'])
      .describe(
        '`cullis` and `entry-mean`: H² of the means, from the design of the phenotype file; `genomic`: the share of the variance that the kinships explain, given the fixed effects of the model.',
      ),
    note: z.string().nullable().describe('What a value above 1 or below −1 means; null for others.'),
  })
  .meta({ id: 'AccuracyEstimate', description: 'Estimated correlation of predicted and true genetic values.' });

/** Models of one trait on the same folds. */
const comparedModels = z
  .object({
    models: z.array(
      z.object({
        model: z
          .enum([...MODEL_OPTIONS.compared_models.choices, 'multi-trait'])
          .describe('As of `compared_models`; `multi-trait`: together with the other traits of the model.'),
        scheme: z
          .enum(['cv1', 'cv2'])
          .describe('`cv1`: lines without any record; `cv2`: lines whose other traits are known.'),
        fold_r: meanSd.describe('Predictive ability within a fold; mean and SD over folds of all repetitions.'),
        seconds: z.number().describe('What its folds took.'),
        bandwidth: z
          .number()
          .optional()
          .describe('h of the Gaussian kernel, the geometric mean over the folds; absent for others.'),
        folds_not_met: z
          .number()
          .int()
          .optional()
          .describe('Of a model by sampling, folds whose chains have not met; absent for others.'),
        r_hat: z.number().optional().describe('Of a model by sampling, the largest R̂; absent for others.'),
      }),
    ),
    differences: z
      .array(
        z.object({
          first: z.number().int().describe('Place in `models`.'),
          second: z.number().int(),
          difference: z.number().describe('Mean of r of the first minus that of the second, over the folds.'),
          se: z.number().describe('With the correction for training parts that overlap.'),
          p: z.number().describe('Corrected resampled t-test (Nadeau and Bengio 2003).'),
        }),
      )
      .describe('Each pair of models that have two folds with r.'),
    recommended: z
      .number()
      .int()
      .nullable()
      .describe(
        'Place in `models`: the simplest model of `cv1`, the first in the order here, whose r is within one standard error of the difference from the best. Null without r.',
      ),
  })
  .meta({ id: 'ComparedModels' });

/** Over repetitions, of the pooled predictions of each. */
export const evaluation = z.object({
  pearson_r: meanSd.describe(
    'Predictive ability: correlation of the genetic predictions with the records without the fixed effects, as the other folds estimate both. Null for models with fixed effects that a version before 1.3 evaluated.',
  ),
  phenotype_r: meanSd
    .nullable()
    .describe(
      'Correlation of predicted and observed records, fixed effects included in both: not what a breeding value is worth. Null without fixed effects, where it is `pearson_r`.',
    ),
  spearman_r: meanSd.describe('As `pearson_r`, of ranks.'),
  rmse: meanSd.describe('In units of the trait.'),
  r2: meanSd.describe('1 − SSE/SST of the records without the fixed effects.'),
  slope: meanSd.describe('Of the records without the fixed effects on the genetic predictions; 1 is unbiased.'),
  accuracy: accuracyEstimate
    .nullable()
    .describe(
      'Null where the trait shows no genetic variance, for evaluations made before 1.1, and for models with fixed effects that a version before 1.3 evaluated.',
    ),
  within_group_r: meanSd
    .nullable()
    .describe('With `leave_out`: r within each group, over the groups; the accuracy is that of this r. Null without.'),
  note: z
    .string()
    .nullable()
    .describe('Why figures are missing that an earlier version computed otherwise; else null.'),
  compared: comparedModels
    .optional()
    .describe(
      'Models on the same folds: traits together beside each alone, or those of `compared_models`. Absent where one model was evaluated.',
    ),
});
export const variance = z.object({
  additive: z.number(),
  dominance: z.number().nullable().describe('Null without dominance.'),
  residual: z.number(),
  h2: z.number().describe('Heritability in the narrow sense, 0–1: additive / (additive + dominance + residual).'),
  kinship_pve: z
    .number()
    .describe('Share of the phenotypic variance of the individuals observed that additive effects explain, 0–1.'),
  dominance_pve: z.number().nullable().describe('The share that dominance explains; null without dominance.'),
  standard_errors: z
    .object({
      additive: z.number(),
      dominance: z.number().nullable(),
      residual: z.number(),
      h2: z.number(),
      H2: z.number(),
      kinship_pve: z.number(),
      dominance_pve: z.number().nullable(),
    })
    .nullable()
    .describe('From the average information; null where a component ended at zero, and for models of before 1.1.'),
});

/** On what a model was evaluated. */
const evaluatedOn = z
  .object({
    key: z
      .string()
      .describe(
        'Equal for models whose figures of a trait can be compared: the same files, individuals, fixed effects and folds. Individuals that a rule leaves out, not a list, count as others.',
      ),
    seed: z.number().int(),
    leave_out: z.string().nullable().describe('The column whose groups were left out; null for random folds.'),
    fixed_effects: z.array(z.string()).describe('Covariates, then `PC1` … of the principal components.'),
    chosen_individuals: z
      .boolean()
      .describe('Individuals were left out by lists or rules, or go by other names in this model.'),
  })
  .meta({ id: 'EvaluatedOn' });

export const model = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    genotype_id: id.nullable(),
    phenotype_id: id.nullable(),
    pedigree_id: id.nullable().describe('Single-step prediction; null without a pedigree.'),
    genotype_name: z.string().nullable(),
    phenotype_name: z.string().nullable(),
    pedigree_name: z.string().nullable(),
    status: byTrait(modelStatus).describe(
      'Trait → state. EVALUATED and ERROR are final; from TRAINED on the effects can be used.',
    ),
    error_extras: byTrait(errorExtra.nullable()).describe('Trait → why it failed; null unless its state is ERROR.'),
    progress: byTrait(progress.nullable()).describe('Trait → its progress; null when it has ended.'),
    model_type: z
      .enum(MODEL_OPTIONS.model_type.choices)
      .describe('As asked for: RRBLUP, a kernel of marker distances, or a model by sampling.'),
    traits: z.array(z.string()),
    n_fold: z.number().int(),
    n_repetition: z.number().int(),
    optimize_time: z
      .number()
      .nullable()
      .describe('Time limit in seconds for the variance estimation of a trait; null for none.'),
    include_dominance_effects: z.boolean().nullable(),
    evaluated_on: evaluatedOn,
    evaluation: byTrait(evaluation.nullable()).describe(
      'Trait → predictive ability and accuracy, pooled over the folds of each repetition.',
    ),
    variance: byTrait(variance.nullable()).describe('Trait → variance components (REML).'),
    evaluation_plot_html_urls: byTrait(z.string().nullable()).describe(
      'Trait → signed URL of a page with the evaluation plots.',
    ),
    spec_urls: byTrait(z.string().nullable()).describe(
      'Trait → signed URL of the model as JSON, which `heterosis predict --model` takes.',
    ),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof model>;

const fixedEffect = z.object({
  name: z.string().describe('Column of the phenotype file, marker, or PC1, PC2 …'),
  group: z.string().nullable().describe('The group compared with `reference`; null for numbers.'),
  reference: z
    .string()
    .nullable()
    .optional()
    .describe('The first group of the column; null for numbers, absent in the first models with covariates.'),
  use: z.enum(['used', 'constant', 'explained']).describe('`constant` and `explained` are left out of the model.'),
  estimate: z.number().describe('Per unit of the column; 0 where it is left out.'),
  standard_error: z.number(),
});

const agreement = z
  .object({
    mean: z.number(),
    sd: z.number().describe('Posterior standard deviation.'),
    r_hat: z.number().describe('R̂: near 1 where the chains agree.'),
    effective_size: z.number().describe('Independent draws that say as much about the mean.'),
    monte_carlo_error: z.number().describe('Of the mean.'),
  })
  .meta({ id: 'ChainAgreement', description: 'A quantity that was sampled in several chains.' });

const sampling = z.object({
  model: z.enum(['brr', 'bayesb', 'bayescpi', 'bayesr']),
  chains: z.number().int(),
  cycles: z.number().int().describe('Of each chain, with the burn-in.'),
  burn_in: z.number().int(),
  stopped_early: z.boolean(),
  residual_variance: agreement,
  genetic_variance: agreement.describe('Of the breeding values of the individuals observed.'),
  markers_included: agreement.nullable().describe('Markers with an effect; null where all have one.'),
  gebv_r_hat: z.number().describe('The largest R̂ among the breeding values.'),
  has_met: z.boolean().describe('Every R̂ is at most 1.01, with 400 effective draws and more.'),
});

const kernel = z
  .object({
    model: z.enum(['gaussian', 'kernel-average']),
    bandwidths: z.array(z.number()).describe('h: the kernel is the mean of exp(−h·D²/median of D²) over these.'),
    median_distance: z
      .number()
      .describe(
        'Median of D² over all pairs of individuals, D² the sum of squared differences in copies of an allele.',
      ),
    profile: z
      .array(z.object({ bandwidth: z.number(), log_likelihood: z.number() }))
      .describe('REML log-likelihoods of the bandwidths tried first; empty where none was chosen.'),
    is_at_end: z.boolean().describe('The likelihood is largest at an end of the bandwidths tried.'),
  })
  .meta({ id: 'DistanceKernel' });

const fit = z.object({
  n: z.number().int().describe('Individuals.'),
  m: z.number().int().describe('Markers.'),
  imputed_calls: z.number().int().describe('Missing calls, imputed by the mean of their marker.'),
  intercept: z.number(),
  log_likelihood: z.number().nullable().describe('REML; null for models by sampling.'),
  iterations: z.number().int(),
  seconds: z.number(),
  converged: z.boolean(),
  at_boundary: z.array(z.string()).describe('Variance components estimated as zero.'),
  errors: z
    .object({
      from: knownErrors,
      residual_lines: z
        .object({ value: z.number(), standard_error: z.number().nullable(), at_bound: z.boolean() })
        .nullable()
        .describe('Variance of lines beyond their relationships; null where it was not asked for.'),
    })
    .optional()
    .describe('Of values with known errors; absent where one residual variance was estimated for all.'),
  H2: z
    .number()
    .describe('Broad sense: (additive + dominance) / (additive + dominance + residual); equals h2 without dominance.'),
  fixed_effects: z
    .array(fixedEffect)
    .optional()
    .describe('Covariates and components, when there are any; values hold for average covariates.'),
  without_covariate: z.number().int().optional().describe('Individuals that lack a covariate and were left out.'),
  sampling: sampling.optional().describe('Of a model by sampling; absent for others.'),
  kernel: kernel.optional().describe('Of a model by a kernel of marker distances; absent for others.'),
  engine: engineChoice.optional().describe('Absent from models of versions before 1.2.'),
  left_out: leftOut.optional().describe('Absent when nothing was to be left out.'),
  single_step: z
    .object({
      genotyped: z.number().int().describe('Individuals of the model with genotype.'),
      without_pedigree: z.number().int().describe('Of these, those that the pedigree lacks: unrelated founders.'),
      left_out: z
        .number()
        .int()
        .describe('Individuals of the pedigree, neither genotyped nor phenotyped, for which the model had no room.'),
      shift: z.number(),
      factor: z.number(),
      pedigree_weight: z.number(),
    })
    .optional()
    .describe(
      'How pedigree and markers were combined: G* = (1 − pedigree_weight)(shift + factor·G) + pedigree_weight·A22.',
    ),
});

const estimate = z.object({ value: z.number().nullable(), se: z.number().nullable() });
const square = z.array(z.array(z.number()));

/** Of traits that were fitted together. */
const multiTrait = z
  .object({
    traits: z.array(z.string()).describe('Order of the rows and columns.'),
    genetic_covariance: square.describe('G, on the scale of the kinship.'),
    residual_covariance: square,
    genetic_covariance_se: square.nullable().describe('Null at a boundary and without convergence.'),
    residual_covariance_se: square.nullable(),
    genetic_correlation: z.array(z.array(estimate)),
    residual_correlation: z
      .array(z.array(estimate))
      .describe('A value is null for traits that no line has both of; their residual covariance is 0.'),
    information: z.literal('average').describe('What standard errors rest on: the average information.'),
    log_likelihood: z.number().describe('−½[(N − q) log 2π + log|V| + log|XᵀV⁻¹X| + yᵀPy].'),
    log_likelihood_contrasts: z.number().describe('With ½ log|XᵀX| of each trait, as a model of one trait has it.'),
    iterations: z.number().int(),
    converged: z.boolean(),
    at_boundary: z
      .array(z.enum(['genetic', 'residual']))
      .describe('`genetic`: G has not full rank; `residual`: a residual variance ended at its least value.'),
    factors: z
      .object({ loadings: square, specific: z.array(z.number()) })
      .optional()
      .describe(
        'Of a factor-analytic G = ΛΛᵀ + Ψ: Λ, a row a trait, with zeros above its diagonal, and the diagonal of Ψ. Absent where G is unstructured.',
      ),
  })
  .meta({ id: 'MultiTrait', description: 'Covariances and correlations between traits that were fitted together.' });

/** Options of a model that are more than numbers, choices and lists of names. */
const own = {
  covariate_kinds: covariateKinds.optional().describe(MODEL_OPTIONS.covariate_kinds.about),
  exclusions: exclusions.optional().describe(MODEL_OPTIONS.exclusions.about),
};

/** Settings of a training besides its inputs and seed: enough to start it again. */
export const modelParameters = z.object({
  ...storedShape(MODEL_OPTIONS, own),
  include_dominance_effects: z.boolean().nullable(),
  single_step: z.literal(true).optional().describe('Trained with a pedigree; absent for models of markers alone.'),
  renames: renames.optional(),
});

export const modelDetail = model
  .extend({
    description: z.string().nullable(),
    genotype: reference.nullable(),
    phenotype: reference.nullable(),
    pedigree: reference.nullable(),
    html: z.string().nullable().describe('Signed URL of the evaluation plots of the first trait.'),
    fit: byTrait(fit.nullable()),
    multi_trait: multiTrait.nullable().describe('Of traits that were fitted together; null otherwise.'),
    ...leftOutOfRun,
    marker_effects_csv_urls: byTrait(z.string().nullable()).describe(
      'Trait → signed URL of the marker effects as CSV.',
    ),
    gebv_csv_urls: byTrait(z.string().nullable()).describe('Trait → signed URL of the breeding values as CSV.'),
    folds_csv_urls: byTrait(z.string().nullable()).describe(
      'Trait → signed URL of the fold of each individual in each repetition, as CSV.',
    ),
    compared_csv_urls: byTrait(z.string().nullable()).describe(
      'Trait → signed URL of r of every fold of the models compared, as CSV; null where one model was evaluated.',
    ),
    provenance: provenance.extend({ parameters: modelParameters }),
  })
  .meta({ id: 'ModelDetail' });
export type ModelDetail = z.infer<typeof modelDetail>;

export const createModelBody = z
  .object({
    name,
    genotype_id: id,
    phenotype_id: id,
    pedigree_id: id
      .nullish()
      .describe(
        'A pedigree file: single-step prediction from pedigree and markers. Individuals without genotype train the model when they have a phenotype, and get breeding values. Neither with `dominance_effect` nor with `fixed`.',
      ),
    traits: z.array(trait).min(1, 'Choose at least one trait').max(1000),
    ...bodyShape(MODEL_OPTIONS, own),
    renames: renames.optional(),
  })
  .superRefine(withoutComplaints(MODEL_OPTIONS))
  .superRefine(({ multi_trait, genetic_factors, traits }, context) => {
    const message = multi_trait ? refusedTogether(traits.length, genetic_factors) : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['traits'], message });
  });

/** `GET …/models/{id}/evaluation?trait=`: data of the evaluation plots. */
export const modelEvaluation = z
  .object({
    trait: z.string(),
    seed: z.number().int(),
    points: z
      .array(z.object({ individual: z.string(), observed: z.number(), predicted: z.number(), fold: z.number().int() }))
      .describe(
        'Means over repetitions while the individual was in the test part: its record without the fixed effects, and the genetic prediction (with them where `phenotype_r` is all that is known).',
      ),
    per_fold: z.array(
      z.object({
        repetition: z.number().int(),
        fold: z.number().int(),
        group: z
          .string()
          .nullable()
          .default(null)
          .describe('With `leave_out`, the group left out; null for random folds.'),
        n: z.number().int(),
        r: z.number().nullable().describe('Predictive ability within the fold.'),
        phenotype_r: z
          .number()
          .nullable()
          .default(null)
          .describe('As `phenotype_r` of the evaluation, within the fold.'),
        reason: z
          .string()
          .nullable()
          .default(null)
          .describe('Why there is no `r`; null in evaluations of older versions.'),
      }),
    ),
    per_repetition: z.array(
      z.object({
        repetition: z.number().int(),
        pearson_r: z.number().nullable(),
        phenotype_r: z.number().nullable().default(null),
        spearman_r: z.number().nullable(),
        rmse: z.number().nullable(),
        r2: z.number().nullable(),
        slope: z.number().nullable(),
      }),
    ),
    evaluation,
  })
  .meta({ id: 'ModelEvaluation' });
export type ModelEvaluation = z.infer<typeof modelEvaluation>;

/** `GET …/models/{id}/effects?trait=`: marker effects, per copy of A2. Sort: `position` (default) or `-abs_effect`. */
export const markerEffectsQuery = pageQuery.extend({
  trait,
  sort: z
    .enum(['position', '-abs_effect'])
    .default('position')
    .describe('`-abs_effect`: the largest absolute effects first.'),
  search: z.string().max(255).optional().describe('Only markers whose name contains this.'),
});
export const markerEffect = z
  .object({
    id: z.string(),
    chr: z.string(),
    pos: z.number(),
    A1: z.string().describe('The other allele (REF of a VCF).'),
    A2: z.string().describe('The counted allele (ALT of a VCF).'),
    freqA2: z.number().describe('Frequency of A2, 0–1.'),
    additive: z.number().describe('Per copy of A2, in units of the trait.'),
    dominance: z.number().nullable(),
    pip: z
      .number()
      .nullable()
      .describe('Posterior probability that the marker has an effect, 0–1; null where effects are not sampled.'),
  })
  .meta({ id: 'MarkerEffect' });
export type MarkerEffect = z.infer<typeof markerEffect>;

/** `GET …/models/{id}/gebv?trait=`: individuals ranked by GEBV. */
export const gebvQuery = pageQuery.extend({
  trait,
  sort: z.enum(['-gebv', 'gebv', 'individual']).default('-gebv'),
  search: z.string().max(255).optional().describe('Only individuals whose name contains this.'),
});
export const gebvRow = z
  .object({
    rank: z.number().int(),
    individual: z.string(),
    gebv: z.number().describe('Breeding value, in units of the trait, with its mean.'),
    reliability: z.number().nullable().describe('0–1.'),
    se: z
      .number()
      .nullable()
      .describe(
        'Root of the prediction error variance of the GEBV, in units of the trait; null in models of before 1.3.',
      ),
    genotypic: z
      .number()
      .nullable()
      .describe('With dominance: what the individual itself is expected to show; null without.'),
    genotypic_reliability: z.number().nullable().describe('0–1; null without dominance.'),
    observed: z.number().nullable().describe('The phenotype that the model was trained on; null where there was none.'),
  })
  .meta({ id: 'GebvRow' });
export type GebvRow = z.infer<typeof gebvRow>;
