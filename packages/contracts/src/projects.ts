import * as z from 'zod';
import { description, id, name, reference, role, timestamp } from './common.ts';

export const project = z
  .object({
    id,
    name: z.string(),
    organization: reference.nullable(),
    crop: reference.nullable(),
    role: role.describe('Your role: the higher of those in the project and in the organization.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof project>;

export const projectDetail = project
  .extend({
    description: z.string().nullable(),
    members_read_only: z.boolean().describe('MEMBERs see everything and change nothing.'),
  })
  .meta({ id: 'ProjectDetail' });
export type ProjectDetail = z.infer<typeof projectDetail>;

export const createProjectBody = z.object({ name, organization_id: id, crop_id: id });
export const updateProjectBody = z.object({
  name: name.optional(),
  description: description.nullable().optional(),
  members_read_only: z.boolean().optional(),
});

const recentRun = z.object({
  kind: z.enum(['model', 'prediction', 'gwas', 'crossing_simulation', 'import']),
  id,
  name: z.string(),
  state: z
    .enum(['processing', 'success', 'error', 'cancelled'])
    .describe(
      'State of the whole: processing while any trait is; cancelled where somebody stopped it, which is no error.',
    ),
  progress: z.number().min(0).max(1).nullable().describe('Share that is done, 0–1.'),
  is_waiting: z.boolean().describe('No worker has begun with it.'),
  key_figure: z
    .string()
    .nullable()
    .describe('The one figure worth telling, for example `r 0.61` or `λ 1.02 · 3 hits`.'),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type RecentRun = z.infer<typeof recentRun>;

/** `GET /projects/{p}/overview`: what is here and what happened lately. */
export const projectOverview = z
  .object({
    files: z.object({
      genotype: z.number().int(),
      phenotype: z.number().int(),
      crossing_table: z.number().int(),
      linkage_map: z.number().int(),
      other: z.number().int(),
    }),
    individuals: z.number().int().describe('Of the largest genotype file.'),
    markers: z.number().int().describe('Of the largest genotype file.'),
    traits: z.array(z.string()),
    models: z.number().int(),
    predictions: z.number().int(),
    gwas: z.number().int(),
    crossing_simulations: z.number().int(),
    recent: z.array(recentRun),
  })
  .meta({ id: 'ProjectOverview' });
export type ProjectOverview = z.infer<typeof projectOverview>;
