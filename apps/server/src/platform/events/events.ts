import type { ChangeEvent } from '@heterosis/contracts/events';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';

export const EVENT_CHANNEL = 'heterosis_events';

/** A change and its audience: the people in `user_ids`, otherwise everybody who sees the project or organization. */
export interface PublishedEvent extends ChangeEvent {
  user_ids?: string[];
}

/**
 * Publishes a change. Inside a transaction it is delivered on commit, and not at all
 * after a rollback (NOTIFY). It carries ids, not data: the browser refetches.
 */
export async function publishEvent(db: Queryable, event: PublishedEvent): Promise<void> {
  await sql`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`.execute(db);
}

/** Something on the pages of an organization has changed: its crops, webhooks, plan, what it may use. */
export const publishOrganization = (db: Queryable, id: string): Promise<void> =>
  publishEvent(db, { type: 'organization', id, project_id: null, organization_id: id });

/** Something on a person's own pages has changed: profile, access tokens, what is under way for the account. */
export const publishAccount = (db: Queryable, userId: string): Promise<void> =>
  publishEvent(db, { type: 'session', id: userId, project_id: null, organization_id: null, user_ids: [userId] });
