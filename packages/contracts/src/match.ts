import * as z from 'zod';
import { id, reference, trait } from './common.ts';
import { renames } from './runs.ts';

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
    ambiguous: z.array(z.object({ name: z.string(), candidates: z.array(z.string()) })),
    by_trait: z
      .record(z.string(), z.number().int())
      .describe('Individuals with both a genotype and a value, by trait.'),
    markers: z
      .object({ total: z.number().int(), after_qc: z.number().int(), missing_share: z.number() })
      .describe('Markers of the genotype: in all, and with MAF ≥ 0.05 and call rate ≥ 0.90 over the whole file.'),
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
          .describe('Parents with heterozygous calls in a genotype without phase: a simulation refuses them.'),
        phased_sibling: reference
          .nullable()
          .describe('A phased genotype file of the project that has the parents of as many crosses.'),
      })
      .nullable()
      .describe('For a crossing table.'),
    can_run: z.boolean().describe('False when a run on these inputs would be refused; `reason` says why.'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'MatchResult' });
export type MatchResult = z.infer<typeof matchResult>;
