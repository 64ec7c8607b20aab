import type { TrialEvent, TrialEventType } from '@heterosis/contracts/data/trials';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

interface NewEvent {
  type: TrialEventType;
  plots?: readonly number[];
  note?: string | null | undefined;
  undoes?: string;
  created_by: string | null;
}

/** Writes what happened to a trial, in the transaction of the change; returns the id of the event. */
export async function insertTrialEvent(
  db: Queryable,
  trialId: string,
  { plots = [], note, ...event }: NewEvent,
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('trial_events')
    .values({ id, trial_id: trialId, plots: [...plots], note: note ?? null, ...event })
    .execute();
  return id;
}

const events = (db: Queryable, trialId: string) =>
  db
    .selectFrom('trial_events as event')
    .leftJoin('users', 'users.id', 'event.created_by')
    .where('event.trial_id', '=', trialId)
    .select([
      'event.id',
      'event.type',
      'event.plots',
      'event.note',
      'event.created_by as created_by_id',
      'event.created_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('created_by'))
    .select(sql<boolean>`exists (select from trial_events as later where later.undoes = event.id)`.as('undone'));

/** The latest first; one row more than `limit` if there is a next page. */
export async function listTrialEvents(
  db: Queryable,
  trialId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<TrialEvent[]> {
  return await events(db, trialId)
    .$if(after !== undefined, (query) => query.where('event.id', '<', after ?? ''))
    .orderBy('event.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function findTrialEvent(db: Queryable, trialId: string, id: string): Promise<TrialEvent | undefined> {
  return await events(db, trialId).where('event.id', '=', id).executeTakeFirst();
}
