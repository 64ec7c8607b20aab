import * as z from 'zod';
import { id, name, pageQuery, reference, trait } from './common.ts';
import { DEFAULT_BP_PER_CM, population } from './crossing-simulations.ts';
import { oneStepState, provenance } from './runs.ts';

/** How several traits become one value, in the order in which dialogs offer them. */
export const indexMethod = z.enum(['base', 'smith_hazel', 'desired_gains', 'restricted']);
export type IndexMethod = z.infer<typeof indexMethod>;

/** What a plan maximises when it pairs the chosen parents. */
export const mateCriterion = z.enum(['usefulness', 'inbreeding']);

/** Where pairs already made are looked up. */
export const madeSource = z.enum(['germplasm', 'crossing_tables']);
export type MadeSource = z.infer<typeof madeSource>;

/** Who may be crossed: those of a genotype, or those of a single-step model, genotyped or not. */
export const candidatesFrom = z.enum(['genotype', 'model']);
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

/** Limits of the numbers of a plan, for forms too. */
export const PLAN_LIMITS = {
  crosses: { min: 1, max: 500 },
  max_uses: { min: 1, max: 500 },
  candidates: { min: 2, max: 2000 },
} as const;

export const crossingPlanParameters = z.object({
  population: population.nullable().describe('Null: the spread within crosses is left out, and no phase is needed.'),
  index_method: indexMethod,
  weights: ofTraits.describe('Trait → weight, or desired gain; empty: 1 over the standard deviation of each trait.'),
  low_traits: z.array(z.string()),
  kept_traits: z.array(z.string()),
  trait_accuracy: ofTraits,
  candidates_from: candidatesFrom,
  coancestry: z.enum(['markers', 'pedigree']).describe('What the relationships of the candidates follow from.'),
  candidates: z.array(z.string()).nullable(),
  crosses: z.number().int(),
  max_uses: z.number().int(),
  cap: z.number().nullable(),
  required_pairs: z.array(pair),
  forbidden_pairs: z.array(pair),
  made_from: z.array(madeSource),
  allow_made: z.boolean(),
  mates: mateCriterion,
  selected_fraction: z.number(),
  accuracy: z.number(),
  missing_map_markers: z.enum(['interpolate', 'drop']),
  bp_per_cm: z.number().nullable().describe('Null with a linkage map.'),
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
  candidates_from: candidatesFrom
    .default('genotype')
    .describe(
      '`model`: individuals of a single-step model, genotyped or not, with its GEBVs; needs `pedigree_id` and no genotype. What segregates within their crosses is not known: `population` counts as null.',
    ),
  linkage_map_id: id.nullable().optional().describe('Absent: distances from base pairs, see `bp_per_cm`.'),
  bp_per_cm: z.number().min(1000).max(1e9).default(DEFAULT_BP_PER_CM),
  crossing_table_id: id.nullable().optional().describe('A crossing table whose pairs are made already.'),
  made_from: z
    .array(madeSource)
    .max(madeSource.options.length)
    .default([])
    .describe(
      'Where else pairs already made are looked up. `germplasm`: the parents of all lines of the crop; `crossing_tables`: all crossing tables of the project.',
    ),
  allow_made: z
    .boolean()
    .default(false)
    .describe('Whether pairs already made may be planned again; otherwise they are left out, unless required.'),
  traits: z.array(trait).min(1).max(6).optional().describe('Traits of the index. Absent: all trained traits.'),
  index_method: indexMethod.default('base'),
  weights: ofTraits.default({}).describe('Trait → weight, or desired gain; positive for the wanted direction.'),
  low_traits: z.array(trait).max(6).default([]).describe('Traits in which low values are wanted.'),
  kept_traits: z.array(trait).max(6).default([]).describe('Traits that shall not change, with `restricted`.'),
  trait_accuracy: ofIndexTraits(z.number().gt(0).max(1))
    .default({})
    .describe('Trait → accuracy of its breeding values, for `smith_hazel`. Absent: 1.'),
  candidates: z
    .array(individual)
    .min(PLAN_LIMITS.candidates.min)
    .max(PLAN_LIMITS.candidates.max)
    .nullable()
    .default(null)
    .describe(
      'Names in the genotype or, with `candidates_from` `model`, in the model. Null: everyone in the genotype, or all of the model that the pedigree has.',
    ),
  crosses: z.number().int().min(PLAN_LIMITS.crosses.min).max(PLAN_LIMITS.crosses.max).default(20),
  max_uses: z
    .number()
    .int()
    .min(PLAN_LIMITS.max_uses.min)
    .max(PLAN_LIMITS.max_uses.max)
    .default(4)
    .describe('Crosses that a parent is in at most.'),
  cap: z
    .number()
    .min(0)
    .max(10)
    .nullable()
    .default(null)
    .describe('Largest group coancestry of the parents. Null: where gain and diversity give up the same share.'),
  required_pairs: z.array(pair).max(500).default([]),
  forbidden_pairs: z.array(pair).max(10_000).default([]),
  mates: mateCriterion
    .default('usefulness')
    .describe('Pair the parents for the largest spread within crosses, or for the least inbred progeny.'),
  population: population
    .nullable()
    .default('DH')
    .describe('What is grown from each cross; no backcross. Null leaves out the spread within crosses.'),
  selected_fraction: z.number().min(1e-6).max(1).default(0.05),
  accuracy: z.number().min(0).max(1).default(1),
  missing_map_markers: z.enum(['interpolate', 'drop']).default('interpolate'),
});
