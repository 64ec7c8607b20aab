import * as z from 'zod';
import { id, name, pageQuery, reference, timestamp, trait } from './common.ts';
import { errorExtra, progress, provenance } from './runs.ts';

export const runStatus = z.enum(['PROCESSING', 'SUCCESS', 'ERROR']);
export type RunStatus = z.infer<typeof runStatus>;

/** How the markers of the model were found in the predicted genotype. */
export const predictionReport = z.object({
  model_markers: z.number().int(),
  shared: z.number().int(),
  by_position: z.number().int(),
  missing: z.number().int(),
  swapped: z.number().int(),
  mismatched: z.number().int(),
  /** Share of the model's genetic variance that the shared markers carry, 0–1. */
  variance_share: z.number().nullable(),
  imputed_calls: z.number().int(),
  individuals: z.number().int(),
});

export const prediction = z.object({
  id,
  name: z.string(),
  project_id: id,
  genotype_id: id.nullable(),
  model_id: id.nullable(),
  genotype_name: z.string().nullable(),
  model_name: z.string().nullable(),
  status: runStatus,
  error_extra: errorExtra.nullable(),
  progress: progress.nullable(),
  traits: z.array(z.string()),
  created_by: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Prediction = z.infer<typeof prediction>;

export const predictionDetail = prediction.extend({
  description: z.string().nullable(),
  csv_url: z.string().nullable(),
  model: reference.nullable(),
  genotype: reference.nullable(),
  report: predictionReport.nullable(),
  provenance,
});
export type PredictionDetail = z.infer<typeof predictionDetail>;

export const listPredictionsQuery = pageQuery.extend({
  name: z.string().max(255).optional(),
  model_id: id.optional(),
  model_name: z.string().max(255).optional(),
  model_genotype_id: id.optional(),
  model_phenotype_id: id.optional(),
});
export const createPredictionBody = z.object({
  name,
  model_id: id,
  /** Absent: the genotype that the model was trained on. */
  genotype_id: id.nullable().optional(),
  /** Refused below this share of shared markers. */
  min_marker_share: z.number().min(0).max(1).default(0.5),
});

/** `GET …/predictions/{id}/results`: `sort` is `individual`, a trait, or either with a leading minus. */
export const predictionResultsQuery = pageQuery.extend({
  sort: z.string().max(256).optional(),
  search: z.string().max(255).optional(),
  trait: trait.optional(),
});
export const predictionRow = z.object({
  individual: z.string(),
  gebv: z.array(z.number()),
  reliability: z.array(z.number().nullable()),
});
export const predictionResults = z.object({
  traits: z.array(z.string()),
  data: z.array(predictionRow),
  next_cursor: z.string().nullable(),
  total: z.number().int(),
});
export type PredictionResults = z.infer<typeof predictionResults>;
