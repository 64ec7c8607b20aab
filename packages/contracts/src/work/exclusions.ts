import * as z from 'zod';
import { EXCLUSION_OPTIONS, LARGEST_R2, WINDOW_OPTIONS } from '../options/exclusions.ts';
import { bodyShape } from '../options/option-schemas.ts';

/** Of two markers in a window with a larger r², the one with the smaller minor allele frequency is left out. */
const ldPruning = z
  .strictObject({
    r2: z.number().min(0).max(1).describe(LARGEST_R2.about),
    ...bodyShape(WINDOW_OPTIONS, {}),
  })
  .describe(EXCLUSION_OPTIONS.ld_pruning.about);

/** What a run leaves out of its genotype. The rules apply in this order, each to what those before it have left. */
export const exclusions = z
  .strictObject({
    ...bodyShape(EXCLUSION_OPTIONS, { ld_pruning: ldPruning.optional() }),
    duplicates: z.boolean().optional().describe(EXCLUSION_OPTIONS.duplicates.about),
  })
  .meta({
    id: 'Exclusions',
    description:
      'Individuals and markers that a run leaves out of its genotype, by lists and rules. They apply in the order of the fields, each to what those before it have left; the result is that of a file without them.',
  });
export type Exclusions = z.infer<typeof exclusions>;

/** Individuals only: what a prediction can leave out, whose markers are those of its model. */
export const sampleExclusions = exclusions
  .omit({ markers: true, min_marker_call_rate: true, min_maf: true, ld_pruning: true })
  .meta({ id: 'SampleExclusions', description: 'Individuals that a prediction leaves out of its genotype.' });

/** What was left out, and what is left. */
export const leftOut = z
  .object({
    samples_read: z.number().int(),
    samples_kept: z.number().int(),
    markers_read: z.number().int(),
    markers_kept: z.number().int(),
    rules: z
      .array(
        z.object({
          rule: z.enum([
            'only_samples',
            'samples',
            'markers',
            'sample_call_rate',
            'sample_heterozygosity',
            'duplicates',
            'marker_call_rate',
            'maf',
            'ld_pruning',
          ]),
          limit: z.number().nullable().describe('Null for lists and duplicates; r² of ld_pruning.'),
          count: z.number().int().describe('Individuals or markers that this rule left out.'),
          skipped: z.enum(['few-markers', 'many-samples']).optional().describe('Why duplicates were not searched for.'),
        }),
      )
      .describe('In the order in which they applied.'),
  })
  .meta({ id: 'LeftOut', description: 'What lists and rules left out of the genotype of a run.' });
export type LeftOut = z.infer<typeof leftOut>;

/** In the details of a run; both null where nothing was to be left out, or before the run has read its genotype. */
export const leftOutOfRun = {
  left_out: leftOut.nullable(),
  left_out_csv_url: z.string().nullable().describe('Signed URL: each individual and marker left out, with its rule.'),
};
