import type { ChangeEvent } from '@heterosis/contracts/events';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';

export const EVENT_CHANNEL = 'heterosis_events';

/** A change and who may hear of it: with `user_ids` these people, otherwise whoever sees the project or organization. */
export interface PublishedEvent extends ChangeEvent {
  user_ids?: string[];
}

/**
 * Tells everybody who may know that something has changed. Inside a transaction it is told when that commits, and never
 * when it rolls back (NOTIFY). Carries ids, not data: the browser asks again.
 */
export async function publishEvent(db: Queryable, event: PublishedEvent): Promise<void> {
  await sql`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`.execute(db);
}
