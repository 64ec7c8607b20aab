import type { WebhookDelivery } from '@heterosis/contracts/people/webhooks';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

const COLUMNS = [
  'id',
  'event',
  'state',
  'attempts',
  'status',
  'error',
  'took_ms',
  'body',
  'created_at',
  'tried_at',
  'next_try_at',
] as const;

interface Place {
  organizationId: string;
  webhookId: string;
}

const selectDeliveries = (db: Queryable, { organizationId, webhookId }: Place) =>
  db
    .selectFrom('webhook_deliveries')
    .select(COLUMNS)
    .where('webhook_id', '=', webhookId)
    .where('organization_id', '=', organizationId);

/** The newest first. */
export async function listDeliveries(
  db: Queryable,
  place: Place,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<WebhookDelivery[]> {
  return (await selectDeliveries(db, place)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()) as WebhookDelivery[];
}

export async function lockDelivery(db: Queryable, place: Place, id: string): Promise<WebhookDelivery | undefined> {
  return (await selectDeliveries(db, place).where('id', '=', id).forUpdate().executeTakeFirst()) as
    | WebhookDelivery
    | undefined;
}

/** False if this event was told already. */
export async function insertDelivery(
  db: Queryable,
  { organizationId, webhookId }: Place,
  row: { id: string; event: string; event_key: string; body: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('webhook_deliveries')
    .values({ ...row, webhook_id: webhookId, organization_id: organizationId, next_try_at: sql`now()` })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'event_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** It waits as if nothing had been tried. */
export async function resetDelivery(db: Queryable, organizationId: string, id: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'WAITING', attempts: 0, next_try_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export interface DeliveryTask {
  id: string;
  organization_id: string;
  webhook_id: string;
  event: string;
  body: string;
  url: string;
  secret: string;
  failing_since: string | null;
}

/**
 * Begins an attempt. Undefined if it was made by another job, or if the delivery has ended. A job that lost its worker
 * in the middle repeats its own attempt.
 */
export async function takeDelivery(db: Queryable, id: string, attempt: number): Promise<DeliveryTask | undefined> {
  const taken = await db
    .updateTable('webhook_deliveries as d')
    .from('webhooks as w')
    .set({ attempts: attempt, tried_at: sql`now()`, status: null, error: null })
    .whereRef('w.id', '=', 'd.webhook_id')
    .where('d.id', '=', id)
    .where('d.state', '=', 'WAITING')
    .where('d.attempts', 'in', [attempt - 1, attempt])
    .returning([
      'd.id',
      'd.organization_id',
      'd.webhook_id',
      'd.event',
      'd.body',
      'w.url',
      'w.secret',
      'w.failing_since',
    ])
    .executeTakeFirst();
  return taken;
}

/** What came of an attempt. False if the delivery was ended or sent again in the meantime. */
export async function updateDelivery(
  db: Queryable,
  { id, organization_id }: Pick<DeliveryTask, 'id' | 'organization_id'>,
  attempt: number,
  change: Pick<WebhookDelivery, 'state' | 'status' | 'error' | 'took_ms' | 'next_try_at'>,
): Promise<boolean> {
  const updated = await db
    .updateTable('webhook_deliveries')
    .set(change)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('state', '=', 'WAITING')
    .where('attempts', '=', attempt)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Gives up what a webhook that is switched off still has to send. */
export async function giveUpWaiting(db: Queryable, { organizationId, webhookId }: Place): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'FAILED', error: 'The webhook was switched off.', next_try_at: null })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'WAITING')
    .execute();
}
