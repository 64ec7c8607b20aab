import * as z from 'zod';
import { id, name, pageQuery, reference, trait } from '../common.ts';
import { bodyShape, storedShape, withoutComplaints } from '../options/option-schemas.ts';
import { PROGRAMME_OPTIONS } from '../options/programmes.ts';
import { programmeOptimum, programmeSearch, searchProblems } from './programmes/programme-optimum.ts';
import { programmeScheme, schemeProblems } from './programmes/programme-schemes.ts';
import { oneStepState, provenance } from './runs.ts';

/** Distributions of the effects of QTL. */
export const QTL_EFFECTS = ['normal', 'laplace', 'equal'] as const;

/** What a trait is made of where no model says it. */
export const traitArchitecture = z.strictObject({
  trait,
  qtl: z.int().min(1).max(100_000).describe('QTL, drawn among the loci that vary in the founders.'),
  effects: z.enum(QTL_EFFECTS).default('normal').describe('Distribution of their effects; signs are drawn.'),
  mean: z.number().min(-1e12).max(1e12).default(0).describe('Mean genetic value of the founders.'),
  variance: z.number().gt(0).max(1e12).describe('Genetic variance of the founders.'),
  dominance: z
    .number()
    .min(-10)
    .max(10)
    .default(0)
    .describe('Degree of dominance: a heterozygous QTL of effect a adds this times |a|.'),
});
export type TraitArchitecture = z.infer<typeof traitArchitecture>;
export const traitArchitectures = z.array(traitArchitecture).min(1).max(6);

/** Most schemes of one run. */
export const MAX_SCHEMES = 6;
const schemes = z.array(programmeScheme).min(1).max(MAX_SCHEMES);
const founders = z.array(z.string().min(1).max(255)).min(1).max(2000);

/** What stands behind the figures. */
export const programmeReport = z
  .object({
    founders: z.number().int(),
    loci: z.number().int(),
    inbred: z.boolean().describe('Whether all founders are fully inbred.'),
    unmapped: z.number().int().describe('Markers without a position, which take no part.'),
    filled_calls: z.number().int().describe('Missing calls of the founders, set to the more frequent allele.'),
    unphased_founders: z
      .number()
      .int()
      .describe(
        'Founders with heterozygous calls without phase, which were put on either chromosome at random: within these plants linkage disequilibrium is lost.',
      ),
    unphased_calls: z.number().int().describe('Their heterozygous calls without phase.'),
    model_markers: z.number().int().nullable().describe('Markers of the model; null without one.'),
    warnings: z
      .array(z.object({ code: z.string(), message: z.string(), suggestion: z.string().nullable() }))
      .describe('Findings about the linkage map.'),
    replicates: z.number().int(),
    schemes: z
      .array(
        z.object({
          name: z.string(),
          years: z.number().describe('At the end of the last cycle.'),
          cost: z.number().describe('Of all cycles, mean over replicates.'),
          gain: z
            .object({ stage: z.string(), cycle: z.number().int(), mean: z.number(), se: z.number().nullable() })
            .nullable()
            .describe('Of trait 1: mean of the last cycle less that of the first measurement; null with only one.'),
        }),
      )
      .describe('In the order of the request; of a search its scheme, and the same with the best numbers.'),
    optimum: programmeOptimum.optional().describe('Of a search of numbers.'),
  })
  .meta({ id: 'ProgrammeReport' });
export type ProgrammeReport = z.infer<typeof programmeReport>;

const OWN = {
  schemes,
  architecture: traitArchitectures.optional(),
  founders: founders.optional(),
  optimise: programmeSearch.optional(),
};

export const programmeParameters = z.object(storedShape(PROGRAMME_OPTIONS, OWN));
export type ProgrammeParameters = z.infer<typeof programmeParameters>;

export const programme = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    genotype_id: id.nullable(),
    linkage_map_id: id.nullable(),
    model_id: id.nullable(),
    genotype_name: z.string().nullable(),
    linkage_map_name: z.string().nullable(),
    model_name: z.string().nullable(),
    ...oneStepState,
  })
  .meta({ id: 'Programme' });
export type Programme = z.infer<typeof programme>;

export const programmeDetail = programme
  .extend({
    description: z.string().nullable(),
    genotype: reference.nullable(),
    linkage_map: reference.nullable().describe('Also null where distances come from base pairs.'),
    model: reference.nullable().describe('Also null where the truth is an architecture.'),
    result_urls: z.array(z.string()).describe('Signed URLs: a CSV of means by cycle, stage and quantity a scheme.'),
    replicates_urls: z.array(z.string()).describe('Signed URLs: a CSV of every quantity in every replicate a scheme.'),
    allocations_url: z.string().nullable().describe('Of a search of numbers: a signed URL of a CSV of allocations.'),
    steps_url: z.string().nullable().describe('The same of what more money buys.'),
    report: programmeReport.nullable(),
    methods: z.string().describe('For the methods section of a paper.'),
    provenance: provenance.extend({ parameters: programmeParameters }),
  })
  .meta({ id: 'ProgrammeDetail' });
export type ProgrammeDetail = z.infer<typeof programmeDetail>;

export const listProgrammesQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  genotype_id: id.optional(),
  linkage_map_id: id.optional(),
  model_id: id.optional(),
});

export const createProgrammeBody = z
  .object({
    name,
    genotype_id: id.describe('Genotypes of the founders, phased or not.'),
    linkage_map_id: id.nullable().optional().describe('Absent: distances from base pairs, see `bp_per_cm`.'),
    model_id: id
      .nullable()
      .optional()
      .describe('True effects are drawn from the posterior of this model; absent with an architecture.'),
    traits: z.array(trait).min(1).max(6).optional().describe('Traits of the model, in their order. Absent: all.'),
    ...bodyShape(PROGRAMME_OPTIONS, OWN),
  })
  .superRefine(withoutComplaints(PROGRAMME_OPTIONS))
  .superRefine((body, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((body.model_id == null) === (body.architecture === undefined))
      complain(['model_id'], 'The truth is either a model or an architecture');
    for (const [i, scheme] of body.schemes.entries()) {
      if (body.schemes.findIndex((one) => one.name === scheme.name) < i)
        complain(['schemes', i, 'name'], 'Schemes have different names');
      for (const { stage, field, message } of schemeProblems(scheme))
        complain(['schemes', i], [stage, field, message].filter((part) => part !== '').join(': '));
    }
    if (body.optimise !== undefined && body.schemes.length > 1)
      complain(['schemes'], 'A search of numbers is of one scheme');
    const [scheme] = body.schemes;
    if (body.optimise !== undefined && scheme !== undefined) {
      // Founders are counted by the server, which refuses what asks for more of them than there are.
      for (const { field, message } of searchProblems(scheme, body.optimise, body.founders?.length ?? null))
        complain(['optimise', ...field.split('.')], message);
    }
    const named = (body.architecture ?? []).map((one) => one.trait);
    if (new Set(named).size < named.length) complain(['architecture'], 'Traits have different names');
  });

export const programmeResultsQuery = z.object({
  stage: z
    .string()
    .max(63)
    .optional()
    .describe('Stage of the results. Absent: `candidates`, or the first of the first scheme.'),
  quantities: z
    .string()
    .max(1000)
    .optional()
    .describe(
      'Names of quantities, separated by commas. `gain1` is mean_gv1 less its first measurement of the replicate. Absent: all of the stage.',
    ),
});

const point = z.object({
  cycle: z.number().int(),
  year: z.number().nullable().describe('At the end of the cycle.'),
  quantity: z.string(),
  mean: z.number(),
  sd: z.number().nullable().describe('Over replicates; null with only one.'),
  se: z.number().nullable().describe('Of the mean.'),
  low: z.number().describe('The 5 % quantile over replicates.'),
  high: z.number().describe('The 95 % quantile.'),
  replicates: z.number().int().describe('In which the quantity exists.'),
  difference: z
    .object({
      mean: z
        .number()
        .describe(
          'This scheme less what the first has reached by that year, over replicates that both have, which are pairs.',
        ),
      se: z.number().nullable(),
      replicates: z.number().int(),
      more: z
        .number()
        .int()
        .nullable()
        .describe(
          'Further replicates after which the 95 % interval of a difference like this excludes zero: 0 where it does; null where nobody can tell, or beyond a million.',
        ),
    })
    .nullable()
    .describe('Null for the first scheme, and where that has measured nothing of it by the year.'),
});
export type ProgrammePoint = z.infer<typeof point>;

export const programmeResults = z.object({
  replicates: z.number().int().describe('Ended so far, of all schemes.'),
  stages: z
    .array(z.object({ scheme: z.string(), stage: z.string(), quantities: z.array(z.string()) }))
    .describe('What can be asked for.'),
  stage: z.string().nullable(),
  schemes: z.array(z.object({ name: z.string(), points: z.array(point) })),
});
export type ProgrammeResults = z.infer<typeof programmeResults>;

/** `GET /projects/{p}/programme_material`: what schemes are filled with. */
export const programmeMaterialQuery = z.object({ genotype_id: id, model_id: id.optional() });
export const programmeMaterial = z.object({
  founders: z.array(z.string()).describe('Names in the genotype, in its order.'),
  loci: z.number().int(),
  phased: z.boolean().describe('Whether heterozygous calls have a phase.'),
  heterozygous_share: z.number().nullable().describe('Of the calls; null where it is not known.'),
  model: z
    .object({
      records: z.number().int(),
      markers: z.number().int(),
      traits: z.array(z.string()),
      genetic_variances: z
        .record(z.string(), z.number().nullable())
        .describe('Trait → variance among the individuals of the model that their markers explain.'),
    })
    .nullable()
    .describe('Null without a model.'),
  variances: z
    .array(
      z.object({
        trait: z.string(),
        plot: z.number().describe('Median variance of errors of plots over the trials.'),
        environment: z.number().nullable().describe('Variance of line × environment; null without a series of trials.'),
        genetic: z.number().nullable().describe('Of lines over environments; null without a series of trials.'),
        analysis: z.object({ id, name: z.string() }),
      }),
    )
    .describe('Of the newest trial analysis of each trait.'),
});
export type ProgrammeMaterialBody = z.infer<typeof programmeMaterial>;
