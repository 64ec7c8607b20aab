import * as z from 'zod';
import { id, reference, timestamp, withoutControls } from '../common.ts';
import { germplasm, germplasmValues } from './germplasm.ts';
import { photo } from './photos.ts';
import { trialState } from './trials.ts';

/** Most loci that are chosen for the passports of a project, and most markers in them. */
export const MAX_CHOSEN_LOCI = 50;
export const MAX_CHOSEN_MARKERS = 400;
/** Photos shown of a line. */
export const PHOTOS_OF_LINE = 24;

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

const lociText = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine(withoutControls, 'Control characters are not allowed')
  .describe('Name of a marker, or a region such as `3:1200000-1500000` (chromosome, first and last bp).');

/** `PUT /projects/{p}/passport_loci`. */
export const chooseLociBody = z.object({
  genotype_id: id.describe('The genotype file whose calls are shown.'),
  loci: z.array(lociText).max(MAX_CHOSEN_LOCI).describe('None: passports show no loci but those of GWAS.'),
});

/** `GET /projects/{p}/passport_loci`. */
export const chosenLoci = z
  .object({
    genotype: reference.nullable().describe('Null while nothing is chosen.'),
    loci: z.array(lociText),
    markers: z.number().int().describe('Markers that they mean.'),
    chosen_by: z.string().nullable(),
    chosen_at: timestamp.nullable(),
  })
  .meta({ id: 'ChosenLoci' });
export type ChosenLoci = z.infer<typeof chosenLoci>;

/** What is known of the alleles of a marker. */
const alleleEffect = z.object({
  run: reference.describe(
    'The newest GWAS in which the marker passes the threshold of Bonferroni, otherwise the newest model in which its effect is at least twice the root mean square of all.',
  ),
  kind: z.enum(['gwas', 'model']),
  trait: z.string(),
  favourable: z.string().describe('The allele that is wanted, by the direction of the trait in the project.'),
  effect: z.number().describe('Of a copy of it, in units of the trait.'),
});

const chosenMarker = z.object({
  marker: z.string(),
  chr: z.string(),
  pos: z.number().describe('bp'),
  genotype: z.string().nullable().describe('Null: not called.'),
  effects: z.array(alleleEffect).describe('One a trait of which something is known.'),
});
export type PassportChosenMarker = z.infer<typeof chosenMarker>;

const chosenLocus = z.object({
  locus: z.string().describe('As it was chosen.'),
  markers: z
    .array(chosenMarker)
    .describe('In the order of the genotype: read together, the haplotype of an inbred line.'),
  alike: z.number().int().nullable().describe('Other individuals of the file with the same calls; null without calls.'),
});
export type PassportChosenLocus = z.infer<typeof chosenLocus>;

const linePhoto = photo.extend({ trial: z.string(), season: z.string(), location_name: z.string() });
export type PassportPhoto = z.infer<typeof linePhoto>;

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
    chosen: z
      .object({
        genotype: reference,
        individual: z.string().nullable().describe('As the file calls the line; null: it has no genotype there.'),
        panel: z.number().int().describe('Individuals of the file.'),
        loci: z.array(chosenLocus),
      })
      .nullable()
      .describe('At the loci that were chosen for the project; null where none are.'),
    photos: z.array(linePhoto).describe(`Of its plots, the latest ${PHOTOS_OF_LINE}.`),
    photo_count: z.number().int(),
    lists: z.array(reference).describe('Lists of the project that name it.'),
    crosses: z.array(cross).describe('Of crossing tables of the project.'),
  })
  .meta({ id: 'Passport' });
export type Passport = z.infer<typeof passport>;
