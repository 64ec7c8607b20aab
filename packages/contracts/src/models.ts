import * as z from 'zod';
import { id, name, pageQuery, reference, timestamp, trait } from './common.ts';
import { byTrait, errorExtra, progress, provenance, renames } from './runs.ts';

/** SPEC §9: fixed values of model creation. */
export const MODEL_DEFAULTS = { n_fold: 5, n_repetition: 10, optimize_time: 120, model_type: 'RRBLUP' } as const;

export const modelStatus = z.enum(['TRAINING', 'TRAINED', 'EVALUATING', 'EVALUATED', 'ERROR']);
export type ModelStatus = z.infer<typeof modelStatus>;

const meanSd = z.object({ mean: z.number().nullable(), sd: z.number().nullable() });

/** Over repetitions; r on pooled predictions of a repetition. */
export const evaluation = z.object({ pearson_r: meanSd, spearman_r: meanSd, rmse: meanSd, r2: meanSd, slope: meanSd });
export const variance = z.object({
  additive: z.number(),
  dominance: z.number().nullable(),
  residual: z.number(),
  /** Narrow sense. */
  h2: z.number(),
});

export const model = z.object({
  id,
  name: z.string(),
  project_id: id,
  genotype_id: id.nullable(),
  phenotype_id: id.nullable(),
  genotype_name: z.string().nullable(),
  phenotype_name: z.string().nullable(),
  status: byTrait(modelStatus),
  error_extras: byTrait(errorExtra.nullable()),
  progress: byTrait(progress.nullable()),
  model_type: z.literal('RRBLUP'),
  traits: z.array(z.string()),
  n_fold: z.number().int(),
  n_repetition: z.number().int(),
  optimize_time: z.number().nullable(),
  include_dominance_effects: z.boolean().nullable(),
  evaluation: byTrait(evaluation.nullable()),
  variance: byTrait(variance.nullable()),
  evaluation_plot_html_urls: byTrait(z.string().nullable()),
  /** Trait → signed url of the model as JSON. */
  spec_urls: byTrait(z.string().nullable()),
  created_by: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Model = z.infer<typeof model>;

const fit = z.object({
  n: z.number().int(),
  m: z.number().int(),
  imputed_calls: z.number().int(),
  intercept: z.number(),
  log_likelihood: z.number(),
  iterations: z.number().int(),
  seconds: z.number(),
  converged: z.boolean(),
  /** Components that ended at zero. */
  at_boundary: z.array(z.string()),
  /** Broad sense, with dominance; equals h2 without. */
  H2: z.number(),
});

/** What a training was started with besides its inputs and seed: enough to start it again. */
export const modelParameters = z.object({
  model_type: z.literal('RRBLUP'),
  n_fold: z.number().int(),
  n_repetition: z.number().int(),
  optimize_time: z.number().nullable(),
  include_dominance_effects: z.boolean().nullable(),
  kinship: z.enum(['vanraden1', 'standardized']),
  thresh_maf: z.number(),
  thresh_callrate: z.number(),
  renames: renames.optional(),
});

export const modelDetail = model.extend({
  description: z.string().nullable(),
  genotype: reference.nullable(),
  phenotype: reference.nullable(),
  html: z.string().nullable(),
  fit: byTrait(fit.nullable()),
  /** Trait → signed url of the marker effects as CSV, and of the GEBVs. */
  marker_effects_csv_urls: byTrait(z.string().nullable()),
  gebv_csv_urls: byTrait(z.string().nullable()),
  folds_csv_urls: byTrait(z.string().nullable()),
  provenance: provenance.extend({ parameters: modelParameters }),
});
export type ModelDetail = z.infer<typeof modelDetail>;

/** SPEC's fixed values are filled in when absent. */
export const createModelBody = z.object({
  name,
  genotype_id: id,
  phenotype_id: id,
  traits: z.array(trait).min(1, 'Choose at least one trait').max(1000),
  dominance_effect: z.boolean().default(false),
  model_type: z.literal('RRBLUP').default('RRBLUP'),
  n_fold: z.number().int().min(2).max(50).default(MODEL_DEFAULTS.n_fold),
  n_repetition: z.number().int().min(1).max(100).default(MODEL_DEFAULTS.n_repetition),
  optimize_time: z.number().positive().max(86_400).nullable().default(MODEL_DEFAULTS.optimize_time),
  seed: z.number().int().min(0).max(2_147_483_647).optional(),
  kinship: z.enum(['vanraden1', 'standardized']).default('vanraden1'),
  thresh_maf: z.number().min(0).max(0.5).default(0.05),
  thresh_callrate: z.number().min(0).max(1).default(0.9),
  renames: renames.optional(),
});

export const traitQuery = z.object({ trait });

/** `GET …/models/{id}/evaluation?trait=`: what the evaluation plots show. */
export const modelEvaluation = z.object({
  trait: z.string(),
  seed: z.number().int(),
  /** Mean over repetitions of the prediction made while the individual was in the test part. */
  points: z.array(
    z.object({ individual: z.string(), observed: z.number(), predicted: z.number(), fold: z.number().int() }),
  ),
  per_fold: z.array(
    z.object({
      repetition: z.number().int(),
      fold: z.number().int(),
      n: z.number().int(),
      r: z.number().nullable(),
      /** Why there is no `r`. Evaluations of before reasons were kept have none. */
      reason: z.string().nullable().default(null),
    }),
  ),
  per_repetition: z.array(
    z.object({
      repetition: z.number().int(),
      pearson_r: z.number().nullable(),
      spearman_r: z.number().nullable(),
      rmse: z.number().nullable(),
      r2: z.number().nullable(),
      slope: z.number().nullable(),
    }),
  ),
  evaluation,
});
export type ModelEvaluation = z.infer<typeof modelEvaluation>;

/** `GET …/models/{id}/effects?trait=`: marker effects, per copy of A2. Sort: `position` (default) or `-abs_effect`. */
export const markerEffectsQuery = pageQuery.extend({
  trait,
  sort: z.enum(['position', '-abs_effect']).default('position'),
  search: z.string().max(255).optional(),
});
export const markerEffect = z.object({
  id: z.string(),
  chr: z.string(),
  pos: z.number(),
  A1: z.string(),
  A2: z.string(),
  freqA2: z.number(),
  additive: z.number(),
  dominance: z.number().nullable(),
});
export type MarkerEffect = z.infer<typeof markerEffect>;

/** `GET …/models/{id}/gebv?trait=`: individuals ranked by GEBV. */
export const gebvQuery = pageQuery.extend({
  trait,
  sort: z.enum(['-gebv', 'gebv', 'individual']).default('-gebv'),
  search: z.string().max(255).optional(),
});
export const gebvRow = z.object({
  rank: z.number().int(),
  individual: z.string(),
  gebv: z.number(),
  reliability: z.number().nullable(),
  observed: z.number().nullable(),
});
export type GebvRow = z.infer<typeof gebvRow>;
