import * as z from 'zod';
import { id } from '../common.ts';
import { crossType } from './germplasm.ts';

/** A graph holds at most this many individuals: what a page draws and a request reads at once. */
export const MAX_PEDIGREE_SIZE = 20_000;
/** Individuals of which one request gives all coancestries. */
export const MAX_COANCESTRIES = 50;

const place = z.number().int().min(0).nullable();

export const pedigreeIndividual = z
  .object({
    id,
    name: z.string(),
    collection: z.string().nullable(),
    maternal: place.describe('Position of the female parent in `individuals`; null when unknown or outside the graph.'),
    paternal: place.describe('Position of the male parent; that of the female for progeny of one plant.'),
    cross_type: crossType.nullable(),
    selfing_generations: z.number().int().nullable(),
    generation: z.number().int().describe('Longest way down from a founder of the graph.'),
    inbreeding: z
      .number()
      .nullable()
      .describe('F, 0–1, with unknown parents as unrelated founders; null when the graph was cut.'),
  })
  .meta({ id: 'PedigreeIndividual' });
export type PedigreeIndividual = z.infer<typeof pedigreeIndividual>;

export const pedigree = z
  .object({
    individuals: z.array(pedigreeIndividual),
    total: z.number().int().describe('Germplasm in scope.'),
    cut: z.boolean().describe('Some ancestors are missing, because the graph would be too large.'),
  })
  .meta({ id: 'Pedigree' });
export type Pedigree = z.infer<typeof pedigree>;

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const pedigreeQuery = z.object({
  crop_id: id.optional(),
  around: id.optional().describe('Only the ancestors and descendants of this germplasm.'),
});
export const projectPedigreeQuery = pedigreeQuery.omit({ crop_id: true }).extend({
  whole_crop: flag
    .optional()
    .describe('All germplasm of the crop, in place of what the project uses and its ancestors.'),
});

const ids = z.union([id.transform((one) => [one]), z.array(id).min(1).max(MAX_COANCESTRIES)]);
export const coancestriesQuery = z.object({ id: ids.describe('Germplasm; repeat the key for several.') });

/** `GET …/pedigree/coancestries`. */
export const coancestries = z
  .object({
    ids: z.array(id),
    values: z
      .array(z.number())
      .describe('Coancestry (kinship by descent) of each pair, row after row; (1 + F)/2 on the diagonal.'),
  })
  .meta({ id: 'Coancestries' });
export type Coancestries = z.infer<typeof coancestries>;
