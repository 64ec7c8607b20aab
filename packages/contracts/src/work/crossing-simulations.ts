import * as z from 'zod';
import { id, name, pageQuery, reference, trait } from '../common.ts';
import { CROSSING_OPTIONS, POPULATIONS } from '../options/crossing.ts';
import { bodyShape, storedShape, withoutComplaints } from '../options/option-schemas.ts';
import { oneStepState, provenance, renames } from './runs.ts';

export const population = z.enum(POPULATIONS);
export type Population = z.infer<typeof population>;

/** Map functions, in the order in which dialogs offer them. */
export const mapFunction = z.enum(CROSSING_OPTIONS.map_function.choices);
export type MapFunction = z.infer<typeof mapFunction>;

/** Maximum progeny of one run, over all its crosses. */
export const MAX_PROGENY_OF_RUN = 2_000_000;

/** The inputs behind the figures. */
export const crossingReport = z
  .object({
    crosses: z.number().int(),
    skipped: z.number().int().describe('Crosses with a parent that is not in the genotype; at most 1,000 are listed.'),
    skipped_crosses: z.array(
      z.object({ cross: z.string(), female: z.string(), male: z.string(), line: z.number().int() }),
    ),
    progeny: z.number().int(),
    effect_markers: z.number().int(),
    shared: z.number().int().describe('Markers of the model that are in the genotype of the parents.'),
    swapped: z.number().int(),
    mismatched: z.number().int(),
    unmapped: z
      .number()
      .int()
      .describe('Shared markers without a position on the map: they count in the means and not in the variances.'),
    interpolated: z.number().int(),
    unmapped_variance_share: z
      .number()
      .describe('Share of Σ 2pq·a² of the markers without a position, 0–1; the largest over the traits.'),
    filled_calls: z.number().int().describe('Missing calls of the parents, set to the more frequent allele.'),
    warnings: z
      .array(z.object({ code: z.string(), message: z.string(), suggestion: z.string().nullable() }))
      .describe('Findings about the linkage map.'),
    best: z
      .record(z.string(), z.object({ cross: z.string(), usefulness: z.number() }))
      .describe('Trait → the cross with the largest usefulness.'),
  })
  .meta({ id: 'CrossingReport' });
export type CrossingReport = z.infer<typeof crossingReport>;

export const crossingParameters = z.object({
  ...storedShape(CROSSING_OPTIONS, {}),
  bp_per_cm: z.number().nullable().describe('Null with a linkage map.'),
  ploidy: z.number().int().optional().describe('Copies of each chromosome; absent for diploids.'),
  renames: renames.optional(),
  phased_from: reference.optional().describe('The genotype that was phased for this run.'),
});
export type CrossingParameters = z.infer<typeof crossingParameters>;

export const crossingSimulation = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    model_id: id.nullable(),
    genotype_id: id.nullable(),
    crossing_table_id: id.nullable(),
    linkage_map_id: id.nullable(),
    model_name: z.string().nullable(),
    genotype_name: z.string().nullable(),
    crossing_table_name: z.string().nullable(),
    linkage_map_name: z.string().nullable(),
    ...oneStepState,
  })
  .meta({ id: 'CrossingSimulation' });
export type CrossingSimulation = z.infer<typeof crossingSimulation>;

export const crossingSimulationDetail = crossingSimulation
  .extend({
    description: z.string().nullable(),
    model: reference.nullable(),
    genotype: reference.nullable(),
    crossing_table: reference.nullable(),
    linkage_map: reference
      .nullable()
      .describe('Also null when distances come from base pairs: see `provenance.parameters.bp_per_cm`.'),
    result_url: z.string().nullable().describe('Signed URL: CSV with a row for each cross and trait.'),
    progeny_url: z
      .string()
      .nullable()
      .describe('Signed URL: CSV with a row for each simulated progeny; null when none were simulated.'),
    report: crossingReport.nullable(),
    intensities: z
      .array(z.object({ fraction: z.number(), intensity: z.number() }))
      .describe(
        'Selection intensity by selected share, smallest first: usefulness = mean ± intensity · accuracy · sd.',
      ),
    provenance: provenance.extend({ parameters: crossingParameters }),
  })
  .meta({ id: 'CrossingSimulationDetail' });
export type CrossingSimulationDetail = z.infer<typeof crossingSimulationDetail>;

export const listCrossingSimulationsQuery = pageQuery.extend({
  crossing_simulation_name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  crossing_table_id: id.optional(),
  genotype_id: id.optional(),
  linkage_map_id: id.optional(),
});

export const createCrossingSimulationBody = z
  .object({
    name,
    model_id: id,
    genotype_id: id
      .nullable()
      .optional()
      .describe('Genotypes of the parents. Absent: the genotype that the model was trained on.'),
    crossing_table_id: id,
    linkage_map_id: id.nullable().optional().describe('Absent: distances from base pairs, see `bp_per_cm`.'),
    traits: z.array(trait).min(1).max(1000).optional().describe('Traits of the model. Absent: all trained traits.'),
    ...bodyShape(CROSSING_OPTIONS, {}),
    renames: renames.optional(),
  })
  .superRefine(withoutComplaints(CROSSING_OPTIONS));

/** Figures that crosses can be sorted by; a leading minus sorts in descending order. */
const CROSS_ORDERS = ['mean', 'sd', 'usefulness', 'p_transgress', 'expected_best', 'cross'] as const;
export type CrossOrder = (typeof CROSS_ORDERS)[number];
const orders = CROSS_ORDERS.flatMap((order) => [order, `-${order}` as const]);

/**
 * `GET …/crossing_simulations/{id}/results`: the crosses for one trait, in the order of the crossing table unless
 * sorted.
 */
export const crossingResultsQuery = pageQuery.extend({
  trait,
  with: trait
    .optional()
    .describe('Another trait: adds the correlation of both traits within the progeny of each cross.'),
  search: z.string().max(255).optional().describe('Only crosses with a name or a parent that contains this.'),
  sort: z
    .enum(orders)
    .optional()
    .describe('A leading minus sorts in descending order. Absent: the order of the crossing table.'),
});
export const crossRow = z.object({
  place: z.number().int().describe('Place of the cross in the run, from 0; addresses its detail.'),
  cross: z.string(),
  parent1: z.string(),
  parent2: z.string(),
  parent3: z.string().nullable().describe('Of three- and four-way crosses.'),
  parent4: z.string().nullable().describe('Of four-way crosses.'),
  population,
  progeny: z.number().int(),
  parent1_value: z.number(),
  parent2_value: z.number(),
  parent3_value: z.number().nullable(),
  parent4_value: z.number().nullable(),
  mean: z.number(),
  sd: z.number(),
  usefulness: z.number(),
  p_transgress: z.number(),
  expected_best: z.number(),
  sim_mean: z.number().nullable().describe('Null when no progeny were simulated.'),
  sim_sd: z.number().nullable().describe('Null when no progeny were simulated.'),
  kinship: z
    .number()
    .nullable()
    .describe(
      'Genomic relationship of the two sides of the cross (VanRaden 2008, method 1); null when it is not known, and in runs of versions before 1.1.',
    ),
  segregating_markers: z
    .number()
    .int()
    .nullable()
    .describe('Markers with an effect at which the parents differ; null in runs of versions before 1.1.'),
  correlation: z.number().nullable().describe('Null without `with`, and when one of the traits does not vary.'),
});
export type CrossRow = z.infer<typeof crossRow>;
export const crossingResults = z.object({
  data: z.array(crossRow),
  next_cursor: z.string().nullable(),
  total: z.number().int(),
});
export type CrossingResults = z.infer<typeof crossingResults>;

/** `GET …/crossing_simulations/{id}/crosses/{place}?trait=`: how the simulated progeny of one cross are distributed. */
export const crossDetail = z.object({
  place: z.number().int(),
  trait: z.string(),
  histogram: z
    .object({ from: z.number(), to: z.number(), counts: z.array(z.number().int()) })
    .nullable()
    .describe(
      'Counts of progeny in bins of equal width from the smallest to the largest value; null when none were simulated.',
    ),
});
export type CrossDetail = z.infer<typeof crossDetail>;

/**
 * `GET …/crossing_simulations/{id}/progeny?trait=`: simulated progeny, the best first; of all crosses or of one.
 * Empty when none were simulated.
 */
export const progenyQuery = z.object({
  trait,
  cross: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(20),
});
export const progenyList = z.object({
  traits: z.array(z.string()),
  data: z.array(z.object({ id: z.string(), cross: z.string(), values: z.array(z.number()) })),
});
export type ProgenyList = z.infer<typeof progenyList>;
