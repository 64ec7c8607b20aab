import * as z from 'zod';
import { description, id, name, role, timestamp } from './common.ts';

/** A new organization gets this many seats. */
export const INITIAL_SEATS = 10;

/** `subscription_id` is null for callers who may not see billing (ROLES). `role` is the caller's own, null for a project guest. */
export const organization = z.object({
  id,
  name: z.string(),
  subscription_id: z.string().nullable(),
  description: z.string().nullable(),
  role: role.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Organization = z.infer<typeof organization>;

/** Seat figures are null for a project guest. */
export const organizationDetail = organization.extend({
  seat_total: z.number().int().nullable(),
  seat_usage: z.number().int().nullable(),
  /** MEMBERs may create projects, of which they are then OWNER (ROLES); null for a project guest. */
  members_may_create_projects: z.boolean().nullable(),
});
export type OrganizationDetail = z.infer<typeof organizationDetail>;

export const createOrganizationBody = z.object({ name });
export const updateOrganizationBody = z.object({
  name: name.optional(),
  description: description.nullable().optional(),
  members_may_create_projects: z.boolean().optional(),
});
/** Deleting needs the typed name of the organization. */
export const deleteOrganizationQuery = z.object({ confirm: z.string().max(255) });

export const organizationMember = z.object({
  id,
  user_id: id,
  name: z.string().nullable(),
  email: z.string(),
  role,
  created_at: timestamp,
});
export type OrganizationMember = z.infer<typeof organizationMember>;
