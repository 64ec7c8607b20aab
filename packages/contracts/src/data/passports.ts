import * as z from 'zod';
import { reference, timestamp } from '../common.ts';
import { germplasm, germplasmValues } from './germplasm.ts';
import { trialState } from './trials.ts';

/** `GET /projects/{p}/passport`. */
export const passportQuery = z.object({
  line: z.string().trim().min(1).max(255).describe('Id of a germplasm, or its name or a synonym.'),
});

const parent = reference
  .extend({ maternal: reference.nullable(), paternal: reference.nullable() })
  .nullable()
  .describe('With its own parents.');

/** Observed values of a trait in a trial, as plain means of the plots. */
const observed = z.object({
  trait: z.string(),
  mean: z.number(),
  plots: z.number().int(),
  check_mean: z.number().nullable().describe('Of the checks of the trial other than the line.'),
  check_plots: z.number().int(),
  trial_mean: z.number().describe('Of all entries and checks.'),
});

const trial = reference.extend({
  season: z.string(),
  location_name: z.string(),
  state: trialState,
  plots: z.array(z.number().int()).describe('On which the line stands.'),
  is_check: z.boolean(),
  observed: z.array(observed),
});
export type PassportTrial = z.infer<typeof trial>;

const stage = z.object({
  stage: z.string(),
  decision: reference.nullable().describe('Null once it is deleted.'),
  set_by: z.string().nullable(),
  set_at: timestamp,
});
export type PassportStage = z.infer<typeof stage>;

const locus = z.object({
  run: reference.describe('The GWAS that found it.'),
  trait: z.string(),
  marker: z.string(),
  chr: z.string(),
  pos: z.number().describe('bp'),
  genotype: z.string().nullable().describe('Null: not called.'),
  effect_allele: z.string(),
  copies: z.number().int().nullable().describe('Of the effect allele.'),
  effect: z.number().nullable().describe('Per copy, in units of the trait.'),
  p: z.number(),
  is_significant: z.boolean().describe('Below the threshold of Bonferroni.'),
});
export type PassportLocus = z.infer<typeof locus>;

const cross = z.object({
  file: reference,
  name: z.string(),
  parents: z.array(z.string()).describe('The female first.'),
  progeny: z.number().int().nullable().describe('As the crossing table asks for.'),
});
export type PassportCross = z.infer<typeof cross>;

/** All that a project knows of a line. */
export const passport = z
  .object({
    germplasm,
    maternal: parent,
    paternal: parent,
    progeny_count: z.number().int(),
    stages: z.array(stage).describe('That decisions gave it, the latest first.'),
    trials: z.array(trial).describe('The newest first.'),
    values: germplasmValues,
    loci: z.array(locus).describe('Of the newest GWAS of each trait: its strongest hit on each chromosome.'),
    lists: z.array(reference).describe('Lists of the project that name it.'),
    crosses: z.array(cross).describe('Of crossing tables of the project.'),
  })
  .meta({ id: 'Passport' });
export type Passport = z.infer<typeof passport>;
