import * as z from 'zod';
import { description, id, name, role, timestamp } from '../common.ts';
import { billingState } from './billing.ts';
import { organizationRight } from './rights.ts';
import { MAX_SHARE_LINK_DAYS } from './share-links.ts';

/**
 * `subscription_id` is null for callers without access to billing. `role` is the caller's own, null for a project
 * guest.
 */
export const organization = z
  .object({
    id,
    name: z.string(),
    subscription_id: z.string().nullable().describe('Null unless the caller is a manager or an owner.'),
    description: z.string().nullable(),
    role: role.nullable().describe('Your role; null for a guest of one of its projects.'),
    rights: z.array(organizationRight).describe('What you may do there now.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof organization>;

/** Seat figures are null for a project guest. */
export const organizationDetail = organization
  .extend({
    seat_total: z.number().int().nullable().describe('Null for a guest.'),
    seat_usage: z
      .number()
      .int()
      .nullable()
      .describe('People with a role in the organization or its projects, and pending invitations; null for a guest.'),
    storage_used_bytes: z
      .number()
      .int()
      .nullable()
      .describe('Bytes of its files, those in the bin and uploads under way included; null for a guest.'),
    storage_quota_bytes: z.number().int().nullable().describe('Null for a guest, and without a limit.'),
    runs_unfinished: z.number().int().nullable().describe('Runs that wait or are under way; null for a guest.'),
    run_quota: z.number().int().nullable().describe('Null for a guest, and without a limit.'),
    members_may_create_projects: z
      .boolean()
      .nullable()
      .describe('MEMBERs may create projects, of which they are then OWNER; null for a project guest.'),
    managers_may_invite_managers: z
      .boolean()
      .nullable()
      .describe('MANAGERs may invite MANAGERs, not only MEMBERs; null for a project guest.'),
    requires_second_factor: z
      .boolean()
      .nullable()
      .describe('Everybody there needs a second factor to sign in; null for a project guest.'),
    share_link_days: z
      .number()
      .int()
      .nullable()
      .describe('Share links live at most so many days; 0: none are made, and none opens. Null for a project guest.'),
    billing_state: billingState.nullable().describe('Not active: it can only be read. Null for a project guest.'),
    logo_url: z.string().nullable().describe('Address of the logo on its reports; null without one.'),
  })
  .meta({ id: 'OrganizationDetail' });
export type OrganizationDetail = z.infer<typeof organizationDetail>;

/** Formats of a logo, which PDFs take as they are, and the most bytes and pixels on a side that are accepted. */
export const LOGO_TYPES = ['image/jpeg', 'image/png'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];
export const LOGO_BYTES: number = 256 * 1024;
export const LOGO_SIDE = 1024;

export const createOrganizationBody = z.object({ name });
export const updateOrganizationBody = z.object({
  name: name.optional(),
  description: description.nullable().optional(),
  members_may_create_projects: z.boolean().optional(),
  managers_may_invite_managers: z.boolean().optional().describe('Only owners may change it.'),
  requires_second_factor: z
    .boolean()
    .optional()
    .describe('Only owners may change it, who have a second factor themselves.'),
  share_link_days: z
    .number()
    .int()
    .min(0)
    .max(MAX_SHARE_LINK_DAYS)
    .optional()
    .describe('Only owners may change it. It holds for links that exist, too.'),
});
export const organizationMember = z
  .object({
    id,
    user_id: id,
    name: z.string().nullable(),
    email: z.string(),
    role,
    last_active_at: timestamp
      .nullable()
      .describe('Last request of the person there, to within minutes; null before the first.'),
    created_at: timestamp,
  })
  .meta({ id: 'OrganizationMember' });
export type OrganizationMember = z.infer<typeof organizationMember>;

/** OWNER transfers or shares ownership. */
export const updateMemberBody = z.object({ role });

/** A user with a role in one project. */
export const projectMember = organizationMember.meta({ id: 'ProjectMember' });
export type ProjectMember = z.infer<typeof projectMember>;
