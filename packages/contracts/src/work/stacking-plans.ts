import * as z from 'zod';
import { id, name, pageQuery, reference } from '../common.ts';
import { bodyShape, storedShape } from '../options/option-schemas.ts';
import { MAX_DONORS, MAX_TARGETS, STACK_OPTIONS } from '../options/stacking.ts';
import { oneStepState, provenance } from './runs.ts';

const individual = z.string().min(1).max(255);
const target = z.strictObject({
  marker: z.string().min(1).max(255),
  allele: z.string().min(1).max(1000).describe('The favourable allele, as the genotype writes it.'),
});
const targets = z.array(target).min(1).max(MAX_TARGETS);
export type StackTarget = z.infer<typeof target>;

const share = z.number().nullable();
const step = z.object({
  step: z.string().describe('Name of the population, by which later ones name it as a parent.'),
  generation: z.number().int(),
  kind: z.enum(['cross', 'backcross', 'self', 'dh']),
  parents: z.array(z.string()).describe('Lines, or earlier steps; one where it is selfed or gives doubled haploids.'),
  plants: z.number().int(),
  carriers: z.number().int().describe('Plants of the kind wanted, of which one is kept.'),
  probability: z
    .number()
    .nullable()
    .describe('Of such a plant; null in several generations of fixation, where the best of all is kept.'),
  wanted: z
    .tuple([z.array(z.string()), z.array(z.string())])
    .nullable()
    .describe('Targets on either haplotype of the plant that is kept; null where the best of all is kept.'),
  cost: z.number(),
  recurrent_share: share.describe(
    'Share of the genome from the recurrent parent in the plant that is kept, mean of the replicates that reach it.',
  ),
  recurrent_share_se: share,
  random_share: share.describe('Of backcrosses: what a carrier at random would have.'),
  drag_cm: z.number().nullable().describe('Mean segment of a donor around a target.'),
  flanks_free: share.describe('Share of flanking markers from the recurrent parent.'),
  replicates: z.number().int().nullable(),
});
export type StackStep = z.infer<typeof step>;

/** The schedule, and what it takes. */
export const stackingReport = z
  .object({
    targets: z.array(
      z.object({
        ...{ marker: z.string(), allele: z.string(), chromosome: z.string(), position_cm: z.number() },
        donors: z.array(z.string()).describe('Donors of the schedule that are homozygous for it.'),
        in_recurrent: z.boolean(),
      }),
    ),
    recurrent: z.string().nullable(),
    donors: z.array(z.string()),
    unused_donors: z.array(z.string()).describe('Donors that the schedule does not need.'),
    unclear: z
      .array(z.object({ name: z.string(), marker: z.string() }))
      .describe('Parents that are heterozygous or missing at a target, where they count as without it.'),
    probability: z.number().describe('As asked for.'),
    assurance: z.number().describe('Of each search.'),
    success: z.number().describe('Probability that all searches succeed with these numbers of plants.'),
    success_se: z.number().describe('Its standard error; 0 where it is exact.'),
    generations: z.number().int(),
    plants: z.number().int(),
    largest: z.number().int().describe('Plants of the largest population.'),
    fits: z.boolean().describe('Whether no population is larger than `most_plants`.'),
    cost: z.number(),
    steps: z.array(step),
    alternatives: z
      .array(
        z.object({
          ...{ generations: z.number().int(), plants: z.number().int(), largest: z.number().int() },
          fixing: z.number().int().describe('Generations after the last cross.'),
        }),
      )
      .describe('The best schedule of each number of generations.'),
    recurrent_share: share.describe('Of the last plant.'),
    recurrent_share_se: share,
    drag_cm: z.number().nullable(),
    drag_cm_se: z.number().nullable(),
  })
  .meta({ id: 'StackingReport' });
export type StackingReport = z.infer<typeof stackingReport>;

export const stackingParameters = z.object(storedShape(STACK_OPTIONS, { targets }));
export type StackingParameters = z.infer<typeof stackingParameters>;

export const stackingPlan = z
  .object({
    ...{ id, name: z.string(), project_id: id },
    genotype_id: id.nullable(),
    linkage_map_id: id.nullable(),
    genotype_name: z.string().nullable(),
    linkage_map_name: z.string().nullable(),
    ...oneStepState,
  })
  .meta({ id: 'StackingPlan' });
export type StackingPlan = z.infer<typeof stackingPlan>;

export const stackingPlanDetail = stackingPlan
  .extend({
    description: z.string().nullable(),
    genotype: reference.nullable(),
    linkage_map: reference.nullable().describe('Also null where distances come from base pairs.'),
    schedule_url: z.string().nullable().describe('Signed URL: the schedule as CSV, a row a population.'),
    report: stackingReport.nullable(),
    methods: z.string().describe('For the methods section of a paper.'),
    provenance: provenance.extend({ parameters: stackingParameters }),
  })
  .meta({ id: 'StackingPlanDetail' });
export type StackingPlanDetail = z.infer<typeof stackingPlanDetail>;

export const listStackingPlansQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  genotype_id: id.optional(),
  linkage_map_id: id.optional(),
});

export const createStackingPlanBody = z.object({
  name,
  genotype_id: id.describe('Genotypes of donors and recurrent parent.'),
  linkage_map_id: id.nullable().optional().describe('Absent: distances from base pairs, see `bp_per_cm`.'),
  ...bodyShape(STACK_OPTIONS, { targets: targets.describe(STACK_OPTIONS.targets.about) }),
  donors: z.array(individual).min(1).max(MAX_DONORS).describe(STACK_OPTIONS.donors.about),
});
