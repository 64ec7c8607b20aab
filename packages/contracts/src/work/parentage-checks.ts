import * as z from 'zod';
import { id, name, pageQuery, reference } from '../common.ts';
import { bodyShape, storedShape } from '../options/option-schemas.ts';
import { PARENTAGE_OPTIONS } from '../options/parentage-checks.ts';
import { oneStepState, provenance } from './runs.ts';

const comparedPedigree = z.enum(PARENTAGE_OPTIONS.pedigree.choices);

/**
 * What the markers say of a child and its parents, the most urgent first; what says nothing stands last. CONFLICT: more
 * conflicts than errors explain. DOUBTFUL: one wrong parent is likelier, or a line is not like its only genotyped
 * parent. PLAUSIBLE: it is. CONFIRMED: not more conflicts, and likelier than one wrong parent. UNTESTABLE: too few
 * markers to notice one wrong parent.
 */
export const parentageVerdict = z.enum(['CONFLICT', 'DOUBTFUL', 'PLAUSIBLE', 'CONFIRMED', 'UNTESTABLE']);
export type ParentageVerdict = z.infer<typeof parentageVerdict>;

export const parentageParameters = z.object(storedShape(PARENTAGE_OPTIONS, {}));

const individual = z.string();

export const parentageReport = z
  .object({
    individuals: z.number().int(),
    markers: z.number().int().describe('Markers with both alleles that were compared.'),
    polymorphic_markers: z.number().int(),
    in_pedigree: z.number().int().nullable().describe('Genotyped individuals in the pedigree; null without one.'),
    verdicts: z.record(parentageVerdict, z.number().int()).describe('Children with a known parent, by verdict.'),
    swaps: z
      .array(z.object({ first: individual, second: individual, families: z.number().int() }))
      .describe('Samples whose exchange removes all conflicts of their `families`; the first 100.'),
    suspects: z
      .array(
        z.object({
          individual,
          conflicts: z.number().int().describe('Families of the sample in conflict, of `tested`.'),
          tested: z.number().int(),
          fits: z.array(individual).describe('In whose place the sample causes no conflict; up to 5.'),
        }),
      )
      .describe('Samples that conflicts point to; the first 500.'),
    copies: z
      .array(z.object({ first: individual, second: individual, identity: z.number(), markers: z.number().int() }))
      .describe('Pairs with more than 99 % equal calls; the first 500.'),
    totals: z.object({ swaps: z.number().int(), suspects: z.number().int(), copies: z.number().int() }),
    sought: z.number().int().describe('Individuals whose parents were sought.'),
    found: z.number().int().describe('Of these: a pair of parents fits.'),
    opposing_share: z.number().describe('Mean share of opposite homozygotes of all pairs of individuals.'),
  })
  .meta({ id: 'ParentageReport' });
export type ParentageReport = z.infer<typeof parentageReport>;

export const parentageCheck = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    genotype_id: id.nullable(),
    pedigree_id: id.nullable(),
    genotype_name: z.string().nullable(),
    pedigree_name: z.string().nullable(),
    ...oneStepState,
    traits: oneStepState.traits.describe('Always empty.'),
  })
  .meta({ id: 'ParentageCheck' });
export type ParentageCheck = z.infer<typeof parentageCheck>;

export const parentageCheckDetail = parentageCheck
  .extend({
    description: z.string().nullable(),
    genotype: reference.nullable(),
    pedigree: reference.nullable(),
    compared_with: comparedPedigree,
    families_url: z.string().nullable().describe('Signed URL of a CSV file: a row for each child in the pedigree.'),
    parents_url: z.string().nullable().describe('Signed URL of a CSV file: the most likely parents.'),
    findings_url: z.string().nullable().describe('Signed URL of a CSV file: swapped samples, suspects and copies.'),
    report: parentageReport.nullable(),
    provenance,
  })
  .meta({ id: 'ParentageCheckDetail' });
export type ParentageCheckDetail = z.infer<typeof parentageCheckDetail>;

export const listParentageChecksQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  genotype_id: id.optional(),
  pedigree_id: id.optional(),
});

export const createParentageCheckBody = z.object({
  name,
  genotype_id: id,
  pedigree_id: id.nullable().optional(),
  ...bodyShape(PARENTAGE_OPTIONS, {}),
});

export const parentageResultsSort = z.enum(['verdict', 'individual', 'conflict_share', 'score']);

/** `GET …/parentage_checks/{id}/results`. */
export const parentageResultsQuery = pageQuery.extend({
  sort: z
    .string()
    .max(64)
    .optional()
    .describe('`verdict` (the most urgent first), `individual`, `conflict_share` or `score`; a minus turns it round.'),
  search: z.string().max(255).optional().describe('Only individuals whose name contains this.'),
  verdict: parentageVerdict.optional(),
});

const count = z.number().int().nullable();

export const parentageRow = z.object({
  individual,
  female: z.string().nullable().describe('In the pedigree.'),
  male: z.string().nullable(),
  tested_female: z
    .string()
    .nullable()
    .describe('Whose genotype was compared: the parent, or where the parents have none a plant they descend from.'),
  tested_male: z.string().nullable(),
  descent: z.enum(['cross', 'line', 'clone']).nullable(),
  verdict: parentageVerdict
    .nullable()
    .describe(
      'CONFLICT: more conflicts than errors explain. DOUBTFUL: not more, but one wrong parent is likelier than the parents recorded; or a line is not like its only genotyped parent. PLAUSIBLE: it is. CONFIRMED: not more conflicts, and one wrong parent is less likely (in checks of versions before 1.3: not more conflicts). UNTESTABLE: too few markers to notice one wrong parent. Null without a parent in the pedigree.',
    ),
  markers: count.describe('Markers that could show a conflict.'),
  conflicts: count,
  conflict_share_of_others: z.number().nullable().describe('Of other individuals in place of this one.'),
  opposing_female: count.describe('Opposite homozygotes.'),
  opposing_male: count,
  score: z
    .number()
    .nullable()
    .describe('ln likelihood ratio of the parents against no relation; null where it is not known what they pass on.'),
  support: z
    .number()
    .nullable()
    .describe(
      'ln likelihood ratio of the parents against the likeliest case of one wrong parent; null where nothing can contradict the family, and in checks of versions before 1.3.',
    ),
  likely_parents: z.array(individual).describe('The most likely pair, or the most likely one; empty if not sought.'),
  likely_fits: z.boolean().nullable(),
  likely_markers: count,
  likely_conflicts: count,
  likely_score: z.number().nullable(),
});
export type ParentageRow = z.infer<typeof parentageRow>;

export const parentageResults = z
  .object({ data: z.array(parentageRow), next_cursor: z.string().nullable(), total: z.number().int() })
  .meta({ id: 'ParentageResults' });
export type ParentageResults = z.infer<typeof parentageResults>;
