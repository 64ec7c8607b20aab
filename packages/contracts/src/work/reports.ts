import * as z from 'zod';

const labelled = z.tuple([z.string(), z.string()]).readonly();
const width = z.enum(['whole', 'twoThirds', 'half', 'third']).describe('Parts whose widths fit stand side by side.');

const reportFigure = z.object({
  what: z.literal('figure'),
  title: z.string(),
  caption: z.string().exactOptional().describe('How it is read.'),
  width,
  figure: z
    .object({ chart: z.string(), given: z.record(z.string(), z.unknown()) })
    .describe('The kind of chart, and what it shows: numbers and names.'),
});

const reportTable = z.object({
  what: z.literal('table'),
  title: z.string(),
  width: width.exactOptional(),
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
  shaded: z.array(z.number().int()).readonly().exactOptional().describe('Rows that stand out.'),
  note: z.string().exactOptional(),
});

const reportFacts = z.object({ what: z.literal('facts'), title: z.string(), facts: z.array(labelled).readonly() });

/** What is shown of results, in this order. */
export const reportPart = z.discriminatedUnion('what', [reportFigure, reportTable, reportFacts]);
export type ReportPart = z.infer<typeof reportPart>;

/** All that a report says: on paper, and on the page of a share link. */
export const reportContent = z.object({
  organization: z.string(),
  logo: z.string().nullable().describe('Of the organization, as a data URL; null without one.'),
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
