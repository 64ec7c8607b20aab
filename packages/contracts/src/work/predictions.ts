import * as z from 'zod';
import { id, name, pageQuery, reference, trait } from '../common.ts';
import { bodyShape } from '../options/option-schemas.ts';
import { PREDICTION_OPTIONS } from '../options/predictions.ts';
import { leftOut, leftOutOfRun, sampleExclusions } from './exclusions.ts';
import { oneStepState, provenance } from './runs.ts';

/** How the model's markers were matched with the predicted genotype. */
export const predictionReport = z.object({
  model_markers: z.number().int(),
  shared: z.number().int().describe('Markers of the model that were found.'),
  by_position: z.number().int().describe('Of these: found by position, not by name.'),
  missing: z.number().int().describe('Not found: their mean in the training genotype is used.'),
  swapped: z.number().int().describe('Found with swapped alleles; their dosages were reversed.'),
  mismatched: z.number().int().describe('Found with other alleles; left out.'),
  variance_share: z
    .number()
    .nullable()
    .describe("Share of the model's genetic variance that the shared markers carry, 0–1; null without such variance."),
  imputed_calls: z.number().int(),
  individuals: z.number().int(),
  without_reliability: z
    .number()
    .int()
    .nullable()
    .default(null)
    .describe('Individuals without reliability; null for predictions of before 1.1.'),
  known: z
    .number()
    .int()
    .optional()
    .describe('Individuals with known records of traits of the model; absent where none were given.'),
  kernel: z
    .enum(['gaussian', 'kernel-average'])
    .optional()
    .describe('The kernel of a model that predicts by marker distances to its training; absent for others.'),
  left_out: leftOut.optional().describe('Absent when nothing was to be left out.'),
});

export const prediction = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    genotype_id: id.nullable(),
    model_id: id.nullable(),
    phenotype_id: id.nullable().describe('Known records of the individuals predicted; null without.'),
    genotype_name: z.string().nullable(),
    model_name: z.string().nullable(),
    phenotype_name: z.string().nullable(),
    ...oneStepState,
  })
  .meta({ id: 'Prediction' });
export type Prediction = z.infer<typeof prediction>;

export const predictionDetail = prediction
  .extend({
    description: z.string().nullable(),
    csv_url: z
      .string()
      .nullable()
      .describe(
        'Signed URL: `id`, and `gebv_T` and `reliability_T` of each trait T, then `genotypic_T` and `genotypic_reliability_T` with dominance.',
      ),
    model: reference.nullable(),
    genotype: reference.nullable(),
    phenotype: reference.nullable(),
    report: predictionReport.nullable(),
    ...leftOutOfRun,
    provenance,
  })
  .meta({ id: 'PredictionDetail' });
export type PredictionDetail = z.infer<typeof predictionDetail>;

export const listPredictionsQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  model_id: id.optional(),
  model_name: z.string().max(255).optional().describe('Only those with a model whose name contains this.'),
  model_genotype_id: id.optional(),
  model_phenotype_id: id.optional(),
});
export const createPredictionBody = z.object({
  name,
  model_id: id,
  genotype_id: id.nullable().optional().describe('Absent: the genotype that the model was trained on.'),
  phenotype_id: id
    .nullish()
    .describe(
      'A phenotype file with records of some traits of the individuals predicted, for a model of traits that were fitted together (`multi_trait`) without fixed effects: they serve the values of all its traits, at the covariances of the model. A record replaces that of the training.',
    ),
  ...bodyShape(PREDICTION_OPTIONS, { exclusions: sampleExclusions.optional() }),
});

/** `GET …/predictions/{id}/results`: `sort` is `individual`, `index`, a trait, or either with a leading minus. */
export const predictionResultsQuery = pageQuery.extend({
  sort: z
    .string()
    .max(256)
    .optional()
    .describe('`individual`, `index` or a trait; a leading minus sorts in descending order.'),
  search: z.string().max(255).optional().describe('Only individuals whose name contains this.'),
  trait: trait.optional(),
});
export const predictionRow = z.object({
  individual: z.string(),
  gebv: z.array(z.number()).describe('Breeding values, in the order of `traits`.'),
  reliability: z.array(z.number().nullable()).describe('0–1, in the order of `traits`.'),
  se: z
    .array(z.number().nullable())
    .describe(
      'Roots of the prediction error variances of the breeding values, in the order of `traits`; null where unknown, and in predictions of before 1.3.',
    ),
  genotypic: z
    .array(z.number().nullable())
    .describe('With dominance: what the individual itself is expected to show; null without.'),
  genotypic_reliability: z.array(z.number().nullable()).describe('0–1; null without dominance.'),
  percentile: z
    .array(z.number())
    .describe('Share of the other individuals whose breeding value is lower, 0–1, in the order of `traits`.'),
  observed: z
    .array(z.number().nullable())
    .nullable()
    .describe(
      'What the model was trained on: the own value of the individual by trait, null where it has none. Null when the model was deleted.',
    ),
  index: z
    .number()
    .nullable()
    .describe(
      'Weighted mean of the standardized breeding values, by direction and weight of the traits of the project; null when fewer than two have a weight.',
    ),
  index_se: z
    .number()
    .nullable()
    .describe(
      'Root of the prediction error variance of the index, by the genetic covariances of a model that was fitted to its traits together; null for other models and where an error is not known.',
    ),
});
export const predictionResults = z
  .object({
    traits: z.array(z.string()),
    data: z.array(predictionRow),
    index_weights: z
      .array(z.number())
      .nullable()
      .describe(
        'Weight per unit of each of `traits` in the index, negative where low values are better: its share over the standard deviation of its breeding values. Null without index.',
      ),
    index_information: z
      .enum(['model', 'accuracies'])
      .nullable()
      .describe(
        '`model`: the traits were predicted together, by the genetic covariances of the model, so that the weighted sum is the index with the largest gain in what is weighed. `accuracies`: one by one, where this takes accuracies to be equal and errors of traits to say nothing of each other. Null without index.',
      ),
    next_cursor: z.string().nullable(),
    total: z.number().int(),
  })
  .meta({ id: 'PredictionResults' });
export type PredictionResults = z.infer<typeof predictionResults>;

/** `GET …/predictions/{id}/factorial`: the hybrids among the predicted individuals, by their parents. */
export const factorialQuery = z.object({ trait });
export const factorial = z
  .object({
    trait: z.string(),
    females: z.array(z.string()),
    males: z.array(z.string()),
    hybrids: z
      .array(
        z.object({
          name: z.string(),
          female: z.number().int().describe('Place in `females`.'),
          male: z.number().int().describe('Place in `males`.'),
          gebv: z.number(),
          genotypic: z.number().nullable().describe('With dominance; null without.'),
        }),
      )
      .describe('Empty when the genotype file names no parents.'),
  })
  .meta({ id: 'Factorial' });
export type Factorial = z.infer<typeof factorial>;
