import * as z from 'zod';
import { id, pageQuery, timestamp } from '../common.ts';

const url = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe('Address of a BrAPI 2 server: `https://server.example/brapi/v2`, or without the path.');
const token = z
  .string()
  .trim()
  .max(4_000)
  .regex(/^[\x21-\x7e]*$/, 'must be printable characters without blanks')
  .optional()
  .describe('Bearer token for that server. It is kept until the import has ended, and shown nowhere.');

/** `POST …/brapi_imports/look`: what another server offers. */
export const lookBody = z.object({ url, token });

const sourceId = z.string().min(1).max(300);

export const brapiOffer = z
  .object({
    server_name: z.string(),
    url: z.string().describe('The address with its path.'),
    trials: z.array(
      z.object({
        id: sourceId,
        name: z.string(),
        program: z.string().nullable(),
        studies: z.number().int().describe('With phenotypes.'),
      }),
    ),
    variant_sets: z.array(
      z.object({
        id: sourceId,
        name: z.string(),
        individuals: z.number().int().nullable(),
        markers: z.number().int().nullable(),
      }),
    ),
    maps: z.array(z.object({ id: sourceId, name: z.string(), markers: z.number().int().nullable() })),
    has_germplasm: z.boolean(),
  })
  .meta({ id: 'BrapiOffer' });
export type BrapiOffer = z.infer<typeof brapiOffer>;

const sourceIds = z.array(sourceId).max(200).default([]);

/** `POST …/brapi_imports`. */
export const startImportBody = z
  .object({
    url,
    token,
    germplasm: z.boolean().default(false).describe('Germplasm of the chosen trials, or all of it, with its pedigree.'),
    trials: sourceIds.describe('Each gives one phenotype file, or one for each file that its studies name.'),
    variant_sets: sourceIds.describe('Each gives a genotype file.'),
    maps: sourceIds.describe('Each gives a linkage map.'),
  })
  .refine(
    ({ germplasm, trials, variant_sets, maps }) => germplasm || trials.length + variant_sets.length + maps.length > 0,
    'Choose something to import',
  );

/** `POST …/brapi_imports/{id}/resume`: what is not done yet, with a token, because the first was not kept. */
export const resumeImportBody = z.object({ token });

export const importStep = z.object({
  kind: z.enum(['germplasm', 'phenotypes', 'genotypes', 'map']),
  source_id: z.string(),
  name: z.string(),
  state: z.enum(['WAITING', 'RUNNING', 'DONE', 'FAILED']),
  done: z.number().describe('Entries, markers or bytes that have arrived.'),
  total: z.number().nullable(),
  message: z.string().nullable().describe('Why it failed, or what there is to know.'),
  file_ids: z.array(id).describe('Files that were made of it.'),
});
export type ImportStep = z.infer<typeof importStep>;

export const brapiImport = z
  .object({
    id,
    url: z.string(),
    server_name: z.string(),
    state: z.enum(['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
    steps: z.array(importStep),
    created_by: z.string().nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'BrapiImport' });
export type BrapiImport = z.infer<typeof brapiImport>;

export const listImportsQuery = pageQuery;
