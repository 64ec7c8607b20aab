import * as z from 'zod';
import { id, reference, trait } from '../common.ts';
import { exclusions } from '../work/exclusions.ts';
import { rename, renames } from '../work/runs.ts';

/**
 * `POST /projects/{p}/match`: matches names of a genotype with those of a phenotype or crossing table, or markers of a
 * model with those of a genotype.
 */
export const matchBody = z
  .object({
    genotype_id: id,
    phenotype_id: id.optional(),
    crossing_table_id: id.optional(),
    model_id: id.optional(),
    traits: z.array(trait).max(1000).optional(),
    renames: renames.optional(),
    exclusions: exclusions.optional().describe('For a phenotype file: what the run would leave out.'),
    thresh_maf: z.number().min(0).max(0.5).optional().describe('Markers are counted from this MAF on; 0.05 if absent.'),
    thresh_callrate: z.number().min(0).max(1).optional().describe('And from this call rate on; 0.9 if absent.'),
  })
  .refine(
    (body) => [body.phenotype_id, body.crossing_table_id, body.model_id].filter(Boolean).length === 1,
    'Give exactly one of phenotype_id, crossing_table_id and model_id',
  );

/** Lists hold at most the first 1,000 names; the counts are complete. */
export const matchResult = z
  .object({
    left: z
      .object({ id, name: z.string(), count: z.number().int() })
      .describe('The genotype, and its number of names.'),
    right: z
      .object({ id, name: z.string(), count: z.number().int() })
      .describe('The phenotype file, crossing table or model.'),
    both: z.number().int(),
    only_left: z.number().int(),
    only_right: z.number().int(),
    both_names: z.array(
      z.object({ left: z.string(), right: z.string(), how: z.enum(['exact', 'synonym', 'folded', 'rename']) }),
    ),
    only_left_names: z.array(z.string()),
    only_right_names: z.array(z.string()),
    suggestions: z.array(z.object({ left: z.string(), right: z.string(), similarity: z.number() })),
    ambiguous: z
      .array(
        z.object({
          name: z.string(),
          candidates: z.array(z.string()),
          renames: z.array(rename).describe('Each of them settles for a run which one is meant.'),
        }),
      )
      .describe('Names that could mean several others; they match none.'),
    by_trait: z
      .record(z.string(), z.number().int())
      .describe('Individuals with both a genotype and a value, by trait.'),
    markers: z
      .object({
        total: z.number().int(),
        after_qc: z.number().int(),
        thresh_maf: z.number(),
        thresh_callrate: z.number(),
        missing_share: z.number(),
      })
      .describe('Markers of the genotype: in all, and with this MAF and call rate or more over the whole file.'),
    kept: z
      .object({
        samples: z.number().int(),
        markers: z.number().int(),
        is_exact: z
          .boolean()
          .describe(
            'False where rules follow on each other: figures of the whole file decide here, in the run those of what is left.',
          ),
      })
      .nullable()
      .describe('What lists and rules keep of the genotype, from its quality figures; null when none are given.'),
    panel: z
      .object({
        shared: z.number().int(),
        missing: z.number().int(),
        swapped: z.number().int(),
        variance_share: z.number().nullable(),
      })
      .nullable()
      .describe('For a model: how its markers are found in the genotype.'),
    phase: z
      .object({
        unphased: z
          .array(z.string())
          .describe(
            'Parents with heterozygous calls in a genotype without phase: a simulation and a plan of crosses refuse them.',
          ),
        phased_sibling: reference
          .nullable()
          .describe(
            'A phased genotype file of the project that has the parents of as many crosses; for a model, all individuals.',
          ),
      })
      .nullable()
      .describe('For a crossing table, and for a model, where every individual may be a parent.'),
    can_run: z.boolean().describe('False when a run on these inputs would be refused; `reason` says why.'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'MatchResult' });
export type MatchResult = z.infer<typeof matchResult>;
