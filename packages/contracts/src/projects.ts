import * as z from 'zod';
import { description, id, name, reference, role, timestamp } from './common.ts';

export const project = z.object({
  id,
  name: z.string(),
  organization: reference.nullable(),
  crop: reference.nullable(),
  /** The caller's effective role: the higher of project and organization role. */
  role,
  created_at: timestamp,
  updated_at: timestamp,
});
export type Project = z.infer<typeof project>;

export const projectDetail = project.extend({
  description: z.string().nullable(),
  /** MEMBERs see everything and change nothing. */
  members_read_only: z.boolean(),
});
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
  /** State of the whole: processing while any trait is; cancelled where somebody stopped it, which is no error. */
  state: z.enum(['processing', 'success', 'error', 'cancelled']),
  progress: z.number().min(0).max(1).nullable(),
  /** No worker has begun with it. */
  is_waiting: z.boolean(),
  /** The one figure worth telling, for example `r 0.61` or `λ 1.02 · 3 hits`. */
  key_figure: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type RecentRun = z.infer<typeof recentRun>;

/** `GET /projects/{p}/overview`: what is here and what happened lately. */
export const projectOverview = z.object({
  files: z.object({
    genotype: z.number().int(),
    phenotype: z.number().int(),
    crossing_table: z.number().int(),
    linkage_map: z.number().int(),
    other: z.number().int(),
  }),
  individuals: z.number().int(),
  markers: z.number().int(),
  traits: z.array(z.string()),
  models: z.number().int(),
  predictions: z.number().int(),
  gwas: z.number().int(),
  crossing_simulations: z.number().int(),
  recent: z.array(recentRun),
});
export type ProjectOverview = z.infer<typeof projectOverview>;
