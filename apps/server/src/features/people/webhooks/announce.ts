import type { WebhookEvent } from '@heterosis/contracts/people/webhooks';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import { insertDelivery } from './deliveries.queries.ts';
import { deliverWebhookJob } from './jobs.ts';
import { findProjectNames, listListening } from './webhooks.queries.ts';

/** Something that has happened in a project. */
export interface Happening {
  event: WebhookEvent;
  /** An event is announced once for a key. */
  key: string;
  organizationId: string;
  projectId: string;
  /** Page of it in the application. */
  path: string;
  /** The event's own fields; no results, which the receiver reads with its own rights. */
  data: object;
}

/**
 * Tells the organization's webhooks of what has happened: writes a delivery for each, and its job, in the transaction
 * of the change.
 */
export async function announce(
  { config, jobs }: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  { event, key, organizationId, projectId, path, data }: Happening,
): Promise<void> {
  const listening = await listListening(trx, organizationId, event);
  if (listening.length === 0) return;
  const names = await findProjectNames(trx, organizationId, projectId);
  if (names === undefined) return;
  for (const { id: webhookId } of listening) {
    const id = uuidv7();
    const url = `${config.publicUrl}${path}`;
    const body = JSON.stringify({ id, event, created_at: new Date().toISOString(), ...names, url, data });
    if (await insertDelivery(trx, { organizationId, webhookId }, { id, event, event_key: `${event}:${key}`, body }))
      await jobs.enqueue(trx, deliverWebhookJob, { delivery_id: id, attempt: 1 }, { organizationId });
  }
}
