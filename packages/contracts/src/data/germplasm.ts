import * as z from 'zod';
import { id, name, page, pageQuery, reference, timestamp } from '../common.ts';
import { runKinds } from '../work/run-kinds.ts';
import { fileType } from './files.ts';

/**
 * How a germplasm came from its parents. DH: a doubled haploid of the F1 of its parents. CLONE: a copy of its one
 * parent. BACKCROSS: a cross in which one parent is the recurrent one.
 */
export const crossType = z.enum(['BIPARENTAL', 'BACKCROSS', 'SELF', 'DH', 'CLONE', 'OPEN_POLLINATED']);
export type CrossType = z.infer<typeof crossType>;

export const MAX_SELFING_GENERATIONS = 100;

export const germplasmSynonym = z
  .object({ name: z.string(), crop_id: id, germplasm_id: id, created_at: timestamp })
  .meta({ id: 'GermplasmSynonym' });

const MAX_ATTRIBUTES = 1000;
const attributes = z
  .record(z.string().min(1).max(255), z.string().max(10_000))
  .refine((values) => Object.keys(values).length <= MAX_ATTRIBUTES, `At most ${MAX_ATTRIBUTES} attributes`)
  .meta({ maxProperties: MAX_ATTRIBUTES });

const fields = {
  id,
  name: z.string(),
  crop: reference,
  collection: z.string().nullable().describe('Population, family or panel.'),
  maternal_id: id.nullable().describe('Female parent; null when unknown.'),
  paternal_id: id.nullable().describe('Male parent; null when unknown.'),
  synonyms: z.array(germplasmSynonym),
  cross_type: crossType.nullable().describe('Null: an ordinary cross, or not known.'),
  selfing_generations: z
    .number()
    .int()
    .nullable()
    .describe('Generations of selfing since the cross: 0 is the F1, 1 the F2. Null when not known.'),
  attributes: attributes.describe('Further columns of the upload.'),
  created_at: timestamp,
  updated_at: timestamp,
};

export const germplasm = z
  .object({ ...fields, maternal: reference.nullable(), paternal: reference.nullable() })
  .meta({ id: 'Germplasm' });
export type Germplasm = z.infer<typeof germplasm>;

export const germplasmSort = z.enum([
  'name',
  '-name',
  'collection',
  '-collection',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
]);
export type GermplasmSort = z.infer<typeof germplasmSort>;

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** `GET /projects/{p}/germplasms`, of the project's crop. */
export const listProjectGermplasmsQuery = pageQuery.extend({
  search: z
    .string()
    .trim()
    .max(300)
    .optional()
    .describe('Part of a name, synonym, collection or parent; or a cross, `A × B` or `A/B`, either way round.'),
  collection: z.string().max(255).optional(),
  parent_id: id.optional().describe('Progeny of this germplasm.'),
  sort: germplasmSort.default('name'),
  in_project: flag.optional().describe('Only what the project uploaded or has in its files.'),
  generate_unknown_parent: flag
    .optional()
    .describe('Gives each germplasm with one known parent a placeholder for the other, for drawing pedigrees.'),
});
export const listGermplasmsQuery = listProjectGermplasmsQuery.omit({ in_project: true }).extend({
  crop_id: id.optional(),
});

export const germplasmList = z
  .object({
    data: z.array(germplasm),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
    total: z.number().int().nullable().describe('All that match; only on the first page.'),
  })
  .meta({ id: 'GermplasmList' });
export type GermplasmList = z.infer<typeof germplasmList>;

/** Where a germplasm is found under its name or a synonym. */
const occurrence = z.object({
  id,
  name: z.string(),
  kind: z.enum([...fileType.options, ...runKinds]),
  project: reference,
  written: z.string().nullable().describe('Its name in the file; null for runs, which use one of the files.'),
});
export type GermplasmOccurrence = z.infer<typeof occurrence>;

export const germplasmChange = z
  .object({
    id,
    kind: z.enum(['MERGE', 'DELETE']),
    germplasm: reference,
    into: reference.nullable(),
    created_by: z.string().nullable(),
    created_at: timestamp,
    undone_at: timestamp.nullable(),
  })
  .meta({ id: 'GermplasmChange' });
export type GermplasmChange = z.infer<typeof germplasmChange>;

/** A merge or a deletion was made, and undone. */
export const germplasmChanged = z.object({ change_id: z.uuid().describe('For undoing.') });
export const germplasmBack = z.object({ id: z.uuid().describe('The germplasm that is back.') });

export const germplasmDetail = z
  .object({
    ...fields,
    maternal: germplasm.nullable(),
    paternal: germplasm.nullable(),
    progeny: z.array(germplasm).describe('The first 100 by name.'),
    progeny_count: z.number().int(),
    occurrences: z.array(occurrence),
    merged: z.array(germplasmChange).describe('Germplasm that was merged into this one.'),
    created_by: z.string().nullable(),
  })
  .meta({ id: 'GermplasmDetail' });
export type GermplasmDetail = z.infer<typeof germplasmDetail>;

/** `GET …/germplasms/{id}/values`. */
export const germplasmValuesQuery = pageQuery.extend({
  limit: pageQuery.shape.limit.describe('Files and runs per page.'),
});

/** What phenotype files and results say of a germplasm, the newest file or run first. */
export const germplasmValues = page(
  z.object({
    source: z.object({ id, name: z.string(), kind: z.enum(['PHENOTYPE', ...runKinds]) }),
    project: reference,
    written: z.string().describe('Its name there.'),
    trait: z.string(),
    unit: z.string().nullable(),
    environment: z.string().nullable().describe('Of a trial analysis; null: over all of them.'),
    estimate: z
      .enum(['mean', 'gebv', 'blup', 'blue'])
      .describe('Mean of a phenotype file, breeding value, or random or fixed effect of a trial analysis.'),
    value: z.number().nullable(),
    se: z.number().nullable().describe('Standard error; of a BLUP the root of its prediction error variance.'),
    observations: z.number().int().nullable().describe('Behind a mean of a phenotype file.'),
    reliability: z.number().nullable().describe('Of a GEBV or BLUP.'),
    percentile: z
      .number()
      .nullable()
      .describe('Share of the others of the same run, trait and environment with a lower value, 0–1.'),
  }),
).meta({ id: 'GermplasmValues' });
export type GermplasmValues = z.infer<typeof germplasmValues>;
export type GermplasmValue = GermplasmValues['data'][number];

/** Fields that a person may change; absent ones stay. */
export const updateGermplasmBody = z.object({
  name: name.optional(),
  collection: z.string().trim().max(255).nullable().optional(),
  maternal_id: id.nullable().optional(),
  paternal_id: id.nullable().optional(),
  cross_type: crossType.nullable().optional(),
  selfing_generations: z.number().int().min(0).max(MAX_SELFING_GENERATIONS).nullable().optional(),
  synonyms: z.array(name).max(1000).optional().describe('All synonyms; those left out are removed.'),
  attributes: attributes.optional().describe('All attributes; those left out are removed.'),
  is_distinct: z
    .boolean()
    .optional()
    .describe('Confirms that this is another line than the one whose name differs only in case or punctuation.'),
});
export type UpdateGermplasmBody = z.infer<typeof updateGermplasmBody>;

/** `POST /projects/{p}/germplasms/synonyms`: renames of a run to keep for all files of the crop. */
export const keepSynonymsBody = z.object({
  pairs: z
    .array(z.object({ from: name, to: name }))
    .min(1)
    .max(1000)
    .describe('Two names of one line; that which the list does not have becomes a synonym.'),
});
export const keptSynonyms = z
  .object({ data: z.array(z.object({ synonym: z.string(), germplasm: reference })) })
  .meta({ id: 'KeptSynonyms' });
export type KeptSynonyms = z.infer<typeof keptSynonyms>;

export const mergeGermplasmBody = z.object({
  into_id: id.describe('The germplasm that stays. It takes over synonyms, progeny and what it lacks itself.'),
});

export const exportGermplasmsQuery = z.object({
  crop_id: id.optional(),
  format: z.enum(['csv', 'mcpd']).default('csv').describe('mcpd: multi-crop passport descriptors, tab-separated.'),
});
export const exportProjectGermplasmsQuery = exportGermplasmsQuery.omit({ crop_id: true });
