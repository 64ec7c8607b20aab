import { randomBytes } from 'node:crypto';
import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { webhooksApi } from '@heterosis/contracts/endpoints/people/webhooks';
import {
  MOST_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@heterosis/contracts/people/webhooks';
import { uuidv7 } from 'uuidv7';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { sealText } from '../../../platform/config/sealed-text.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishOrganization } from '../../../platform/events/events.ts';
import type { OrganizationCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { giveUpWaiting, insertDelivery, listDeliveries, lockDelivery, resetDelivery } from './deliveries.queries.ts';
import { deliverWebhookJob } from './jobs.ts';
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from './webhooks.queries.ts';

/** Of the key that seals the secrets. */
export const SECRET_PURPOSE = 'webhook-secret';

type WebhookRequest = Omit<OrganizationCall, 'services'>;

const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

const toWebhook = ({ secret: _, ...row }: WebhookRow): Webhook => row;

/** In the order in which they were made. */
export async function listOfOrganization(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { query: { limit, cursor } }: InputOf<typeof webhooksApi.listOfOrganization>,
): Promise<Page<Webhook>> {
  const rows = await listWebhooks(db, organizationId, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows.map(toWebhook), limit, ({ id }) => [id]);
}

export async function createWebhook(
  request: OrganizationCall,
  { body }: InputOf<typeof webhooksApi.createWebhook>,
): Promise<WebhookWithSecret> {
  const { db, config } = request.services;
  const { organizationId } = request.access;
  const secret = makeSecret();
  return await db.transaction().execute(async (trx) => {
    if ((await countWebhooks(trx, organizationId)) >= MOST_WEBHOOKS)
      throw new Problem(
        'webhooks/too-many',
        `An organization has at most ${MOST_WEBHOOKS} webhooks. Delete one that is not needed any more.`,
      );
    const id = uuidv7();
    await insertWebhook(trx, {
      ...body,
      events: [...new Set(body.events)],
      id,
      organization_id: organizationId,
      created_by: request.principal.userId,
      secret: await sealText(config, SECRET_PURPOSE, secret),
    });
    await record(trx, request, 'webhook.created', { id, name: body.name });
    return { ...toWebhook(await getWebhook(trx, organizationId, id)), secret };
  });
}

/** Changes what is given. A webhook that is switched on again starts without a history of failures. */
export async function changeWebhook(
  request: OrganizationCall,
  { id, body: { name, url, events, is_active, renew_secret } }: InputOf<typeof webhooksApi.changeWebhook>,
): Promise<WebhookWithSecret> {
  const { db, config } = request.services;
  const { organizationId } = request.access;
  const secret = renew_secret === true ? makeSecret() : null;
  return await db.transaction().execute(async (trx) => {
    const before = await getWebhook(trx, organizationId, id);
    await updateWebhook(trx, organizationId, id, {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
      ...(is_active === undefined ? {} : { is_active }),
      ...(is_active === true && !before.is_active ? { failing_since: null, switched_off_at: null } : {}),
      ...(secret === null ? {} : { secret: await sealText(config, SECRET_PURPOSE, secret) }),
    });
    if (is_active === false) await giveUpWaiting(trx, { organizationId, webhookId: id });
    const after = await getWebhook(trx, organizationId, id);
    await record(trx, request, 'webhook.changed', after);
    return { ...toWebhook(after), secret };
  });
}

export async function removeWebhook(
  request: OrganizationCall,
  { id }: InputOf<typeof webhooksApi.removeWebhook>,
): Promise<void> {
  const { db } = request.services;
  const { organizationId } = request.access;
  await db.transaction().execute(async (trx) => {
    const webhook = await getWebhook(trx, organizationId, id);
    await deleteWebhook(trx, organizationId, id);
    await record(trx, request, 'webhook.deleted', webhook);
  });
}

/** Sends an event of its own, once, also while the webhook is switched off. */
export async function sendTest(
  { services: { db, jobs }, access: { organizationId }, principal }: OrganizationCall,
  { id: webhookId }: InputOf<typeof webhooksApi.sendTest>,
): Promise<WebhookDelivery> {
  return await db.transaction().execute(async (trx) => {
    const { name } = await getWebhook(trx, organizationId, webhookId);
    const id = uuidv7();
    const data = { webhook: { id: webhookId, name }, sent_by: principal.email };
    const body = JSON.stringify({ id, event: 'test', created_at: new Date().toISOString(), data });
    const place = { organizationId, webhookId };
    await insertDelivery(trx, place, { id, event: 'test', event_key: `test:${id}`, body });
    await jobs.enqueue(trx, deliverWebhookJob, { delivery_id: id, attempt: 1 }, { organizationId });
    return await getDelivery(trx, place, id);
  });
}

/** The newest first. */
export async function listDeliveriesOf(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { id: webhookId, query: { limit, cursor } }: InputOf<typeof webhooksApi.listDeliveriesOf>,
): Promise<Page<WebhookDelivery>> {
  await getWebhook(db, organizationId, webhookId);
  const rows = await listDeliveries(db, { organizationId, webhookId }, { limit, before: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

/** Sends an ended delivery again: the same id and the same body under a new timestamp. */
export async function sendAgain(
  { services: { db, jobs }, access: { organizationId } }: OrganizationCall,
  { webhook_id: webhookId, id }: InputOf<typeof webhooksApi.sendAgain>,
): Promise<WebhookDelivery> {
  return await db.transaction().execute(async (trx) => {
    await getWebhook(trx, organizationId, webhookId);
    const place = { organizationId, webhookId };
    const { state } = await getDelivery(trx, place, id);
    if (state === 'WAITING')
      throw new Problem('webhooks/still-waiting', 'This delivery has not ended: it will be tried by itself.');
    await resetDelivery(trx, organizationId, id);
    await jobs.enqueue(trx, deliverWebhookJob, { delivery_id: id, attempt: 1 }, { organizationId });
    return await getDelivery(trx, place, id);
  });
}

async function getWebhook(db: Queryable, organizationId: string, id: string): Promise<WebhookRow> {
  const row = isUuid(id) ? await findWebhook(db, organizationId, id) : undefined;
  if (row === undefined) throw notFound('This webhook');
  return row;
}

async function getDelivery(
  trx: Queryable,
  place: { organizationId: string; webhookId: string },
  id: string,
): Promise<WebhookDelivery> {
  const row = isUuid(id) ? await lockDelivery(trx, place, id) : undefined;
  if (row === undefined) throw notFound('This delivery');
  return row;
}

/** Records a change, and tells it to open pages. */
async function record(
  trx: Queryable,
  { access: { organizationId }, principal, requestId }: WebhookRequest,
  action: 'webhook.created' | 'webhook.changed' | 'webhook.deleted',
  { id, name }: Pick<Webhook, 'id' | 'name'>,
): Promise<void> {
  await recordAuditEvent(trx, {
    action,
    actor: principal,
    organizationId,
    targetType: 'webhook',
    targetId: id,
    details: { name },
    requestId,
  });
  await publishOrganization(trx, organizationId);
}
