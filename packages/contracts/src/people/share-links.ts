import * as z from 'zod';
import { id, pageQuery, reference, timestamp } from '../common.ts';
import { reportContent } from '../work/reports.ts';
import { RUN_KINDS, runKinds } from '../work/run-kinds.ts';
import { reportQuery } from '../work/runs.ts';

/** What a share link can name: a run, a trial, or a closed decision. */
export const sharedKind = z.enum([...runKinds, 'trial', 'decision']);
export type SharedKind = z.infer<typeof sharedKind>;

/** Noun, and folder of its pages in the web application. */
export const SHARED_KINDS: Readonly<Record<SharedKind, { noun: string; page: string }>> = {
  ...RUN_KINDS,
  trial: { noun: 'trial', page: 'trials' },
  decision: { noun: 'decision', page: 'decisions' },
};

/** Page of a share link. The secret follows a `#`, which browsers send to no server. */
export const SHARED_PAGE = '/s';

export const DEFAULT_SHARE_LINK_DAYS = 30;
export const MAX_SHARE_LINK_DAYS = 365;
/** Offered on pages. */
export const SHARE_LIFETIMES_DAYS = [7, 30, 90, 180, MAX_SHARE_LINK_DAYS];
/** Links of a project that open. */
export const MAX_SHARE_LINKS = 500;

export const shareLink = z
  .object({
    id,
    entity_kind: sharedKind,
    entity_id: id,
    name: z.string().nullable().describe('Of what it shows; null once that is deleted.'),
    project: reference,
    state: z
      .enum(['OPEN', 'EXPIRED', 'REVOKED', 'CLOSED'])
      .describe('CLOSED: what it shows is deleted. Only an OPEN link shows something.'),
    created_by: z.object({ id, name: z.string() }).nullable().describe('Null once the account is deleted.'),
    created_at: timestamp,
    expires_at: timestamp.describe('Not later than the organization allows now.'),
    revoked_at: timestamp.nullable(),
    last_opened_at: timestamp.nullable(),
    opened_count: z.number().int(),
  })
  .meta({ id: 'ShareLink' });
export type ShareLink = z.infer<typeof shareLink>;

/** `GET /projects/{p}/share_links`: the newest first. */
export const listShareLinksQuery = pageQuery.extend({
  entity_kind: sharedKind.optional(),
  entity_id: id.optional().describe('Only the links to this.'),
});

export const createShareLinkBody = z.object({
  entity_kind: sharedKind,
  entity_id: id,
  days: z
    .number()
    .int()
    .min(1)
    .max(MAX_SHARE_LINK_DAYS)
    .default(DEFAULT_SHARE_LINK_DAYS)
    .describe('After which it expires. The organization may allow fewer.'),
});

export const createdShareLink = shareLink.extend({
  url: z.string().describe('Shown this once; only a hash of its secret is stored.'),
});
export type CreatedShareLink = z.infer<typeof createdShareLink>;

const token = z.string().min(1).max(200).describe('The part of the address of a share link that follows `#`.');

export const openSharedBody = z.object({ token });
export const printSharedBody = openSharedBody.extend(reportQuery.shape);

/** What a share link shows. It has no ids, and names no person. */
export const sharedThing = z
  .object({
    ...reportContent.shape,
    expires_at: timestamp,
  })
  .meta({ id: 'SharedThing' });
export type SharedThing = z.infer<typeof sharedThing>;
