import * as z from 'zod';
import { id, name, reference, timestamp } from './common.ts';

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

const attributes = z.record(z.string().max(255), z.string().max(10_000));

export const germplasm = z
  .object({
    id,
    name: z.string(),
    crop: reference,
    collection: z.string().nullable().describe('Population, family or panel.'),
    maternal_id: id.nullable().describe('Female parent; null when unknown.'),
    paternal_id: id.nullable().describe('Male parent; null when unknown.'),
    maternal: reference.nullable(),
    paternal: reference.nullable(),
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
  })
  .meta({ id: 'Germplasm' });
export type Germplasm = z.infer<typeof germplasm>;

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
