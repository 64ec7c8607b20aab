import * as z from 'zod';
import { id, name, pageQuery, reference, trait } from '../common.ts';
import { PLAN_OPTIONS } from '../options/crossing.ts';
import { bodyShape, storedShape } from '../options/option-schemas.ts';
import { oneStepState, provenance } from './runs.ts';

export const indexMethod = z.enum(PLAN_OPTIONS.index_method.choices);
export type IndexMethod = z.infer<typeof indexMethod>;

/** Who may be crossed: those of a genotype, or those of a single-step model, genotyped or not. */
const candidatesFrom = z.enum(PLAN_OPTIONS.candidates_from.choices);
export type CandidatesFrom = z.infer<typeof candidatesFrom>;

const individual = z.string().min(1).max(255);
const pair = z.tuple([individual, individual]);
/** Trait → number, for as many traits as an index may have. */
const ofIndexTraits = <Value extends z.ZodType>(value: Value) =>
  z
    .record(trait, value)
    .refine((values) => Object.keys(values).length <= MAX_INDEX_TRAITS, `At most ${MAX_INDEX_TRAITS} traits`)
    .meta({ maxProperties: MAX_INDEX_TRAITS });
const MAX_INDEX_TRAITS = 6;
const ofTraits = ofIndexTraits(z.number().min(-1e12).max(1e12));

export const crossingPlanParameters = z.object({
  ...storedShape(PLAN_OPTIONS, {
    weights: ofTraits.describe(
      'Trait → weight, or desired gain; empty: the share of each trait in `index_shares` (or 1) over its standard deviation.',
    ),
    trait_accuracy: ofTraits,
    candidates: z.array(z.string()).nullable(),
    required_pairs: z.array(pair),
    forbidden_pairs: z.array(pair),
  }),
  index_shares: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'Trait → its share in the index of standardized values, from the weights of the project when the plan was made without weights; they sum to 1. Absent with weights, and in plans of before 1.1.',
    ),
  coancestry: z.enum(['markers', 'pedigree']).describe('What the relationships of the candidates follow from.'),
  bp_per_cm: z.number().nullable().describe('Null with a linkage map.'),
  ploidy: z.number().int().optional().describe('Copies of each chromosome in the candidates; absent for diploids.'),
});
export type CrossingPlanParameters = z.infer<typeof crossingPlanParameters>;

/** The plan for the constraints that the run was started with. */
export const crossingPlanReport = z
  .object({
    candidates: z.number().int(),
    crosses: z.number().int(),
    parents: z.number().int(),
    cap: z.number().describe('Cap on the group coancestry: the one asked for, or the balanced one.'),
    coancestry: z.number().describe('Group coancestry of the parents, weighted by their uses.'),
    meets_cap: z.boolean(),
    value: z.number().describe('Mean index of the parents, weighted by their uses.'),
    value_bound: z.number().describe('No plan under the cap has a larger mean index.'),
    mates_proven: z.boolean().describe('Whether the pairing of the parents is proven to be the best.'),
    is_repaired: z.boolean().describe('Whether other parents were taken because the best uses cannot be paired.'),
    weights: z.record(z.string(), z.number()).describe('Trait → weight of its breeding value in the index.'),
    gains: z
      .record(z.string(), z.number())
      .describe('Trait → expected change per unit of selection intensity on the index, in the unit of the trait.'),
    changes: z
      .record(z.string(), z.number())
      .describe('Trait → mean of the chosen parents less the mean of the candidates.'),
    index_information: z
      .enum(['model', 'accuracies'])
      .optional()
      .describe(
        'Covariance of predicted with true breeding values in the index: `model`, that of values predicted by a model with the genetic covariances between the traits; `accuracies`, from those of the traits (`trait_accuracy`), with errors that say nothing about other traits. Absent in plans of before 1.3.',
      ),
    made_pairs: z.number().int().describe('Pairs of candidates that have been crossed already, as far as was asked.'),
    effect_markers: z.number().int().nullable().describe('Null without genotype.'),
    shared: z
      .number()
      .int()
      .nullable()
      .describe('Markers of the model that are in the genotype of the candidates; null without genotype.'),
    filled_calls: z.number().int().nullable().describe('Null without genotype.'),
    warnings: z.array(z.object({ code: z.string(), message: z.string(), suggestion: z.string().nullable() })),
  })
  .meta({ id: 'CrossingPlanReport' });
export type CrossingPlanReport = z.infer<typeof crossingPlanReport>;

export const crossingPlan = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    model_id: id.nullable(),
    genotype_id: id.nullable().describe('Null for candidates from the model.'),
    pedigree_id: id.nullable(),
    crossing_table_id: id.nullable().describe('The crossing table of pairs already made.'),
    linkage_map_id: id.nullable(),
    candidates_from: candidatesFrom,
    model_name: z.string().nullable(),
    genotype_name: z.string().nullable(),
    ...oneStepState,
  })
  .meta({ id: 'CrossingPlan' });
export type CrossingPlan = z.infer<typeof crossingPlan>;

export const crossingPlanDetail = crossingPlan
  .extend({
    description: z.string().nullable(),
    model: reference.nullable(),
    genotype: reference.nullable(),
    pedigree: reference.nullable(),
    crossing_table: reference.nullable(),
    linkage_map: reference.nullable(),
    crosses_url: z.string().nullable().describe('Signed URL: the planned crosses as a crossing table with figures.'),
    candidates_url: z.string().nullable().describe('Signed URL: candidates with index, contribution and crosses.'),
    pairs_url: z.string().nullable().describe('Signed URL: the 1,000 most useful pairs; null without population.'),
    curve_url: z.string().nullable().describe('Signed URL: mean index of the parents against group coancestry.'),
    made_url: z
      .string()
      .nullable()
      .describe('Signed URL: pairs already made and where that is said; null when none was found.'),
    report: crossingPlanReport.nullable(),
    intensity: z
      .number()
      .describe('Selection intensity of the selected share: usefulness = mean + intensity · accuracy · sd.'),
    provenance: provenance.extend({ parameters: crossingPlanParameters }),
  })
  .meta({ id: 'CrossingPlanDetail' });
export type CrossingPlanDetail = z.infer<typeof crossingPlanDetail>;

export const listCrossingPlansQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  model_id: id.optional(),
  genotype_id: id.optional(),
});

export const createCrossingPlanBody = z.object({
  name,
  model_id: id,
  genotype_id: id
    .nullable()
    .optional()
    .describe('Genotypes of the candidates. Absent: the genotype that the model was trained on.'),
  pedigree_id: id
    .nullable()
    .optional()
    .describe('A pedigree file from which coancestries follow, in place of the markers. It must have every candidate.'),
  linkage_map_id: id.nullable().optional().describe('Absent: distances from base pairs, see `bp_per_cm`.'),
  crossing_table_id: id.nullable().optional().describe('A crossing table whose pairs are made already.'),
  traits: z.array(trait).min(1).max(6).optional().describe('Traits of the index. Absent: all trained traits.'),
  ...bodyShape(PLAN_OPTIONS, {
    weights: ofTraits.default({}).describe(PLAN_OPTIONS.weights.about),
    trait_accuracy: ofIndexTraits(z.number().gt(0).max(1)).default({}).describe(PLAN_OPTIONS.trait_accuracy.about),
    candidates: z
      .array(individual)
      .min(PLAN_OPTIONS.candidates.min)
      .max(PLAN_OPTIONS.candidates.max)
      .nullable()
      .default(null)
      .describe(PLAN_OPTIONS.candidates.about),
    required_pairs: z.array(pair).max(500).default([]).describe(PLAN_OPTIONS.required_pairs.about),
    forbidden_pairs: z.array(pair).max(10_000).default([]).describe(PLAN_OPTIONS.forbidden_pairs.about),
  }),
});
