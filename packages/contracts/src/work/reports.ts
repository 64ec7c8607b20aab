import * as z from 'zod';

const labelled = z.tuple([z.string(), z.string()]).readonly();

const reportTable = z.object({
  what: z.literal('table'),
  title: z.string(),
  columns: z
    .array(
      z.object({
        title: z.string(),
        align: z.enum(['left', 'right']).exactOptional(),
        stretches: z.boolean().exactOptional(),
      }),
    )
    .readonly(),
  rows: z.array(z.array(z.string()).readonly()).readonly(),
});

/** What is shown of results, in this order. */
export const reportPart = z.discriminatedUnion('what', [reportTable]);

/** All that a report says: on paper, and on the page of a share link. */
export const reportContent = z.object({
  organization: z.string(),
  kind: z.string().describe('For example `GWAS`.'),
  name: z.string(),
  description: z.string().nullable(),
  sentences: z.array(z.string()).readonly().describe('Results and failures, a sentence each.'),
  inputs: z.array(labelled).readonly().describe('Role and name of each input.'),
  parts: z.array(reportPart).readonly(),
  methods: z.string(),
  provenance: z.array(labelled).readonly().describe('Label and value.'),
  date: z.string().describe('When it ended, or was made.'),
});
