import { unsealText } from '../../../platform/config/sealed-text.ts';
import type { Services } from '../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { guardedFetch } from '../../../platform/outgoing/guarded-fetch.ts';
import { type DeliveryTask, giveUpWaiting, takeDelivery, updateDelivery } from './deliveries.queries.ts';
import { deliverWebhookJob, sendWebhookMailJob } from './jobs.ts';
import { signatureOf } from './signature.ts';
import { findOffMailReceiver, findWebhook, updateWebhook } from './webhooks.queries.ts';
import { SECRET_PURPOSE } from './webhooks.service.ts';

/** Waits after each failed attempt; after the last, some 16 hours later, the delivery is given up. */
const RETRY_SECONDS = [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800];
/** A webhook is switched off when a delivery is given up and nothing has arrived for this long. */
const OFF_AFTER_MS = 3 * 24 * 3_600_000;
const ANSWER_WITHIN_MS = 10_000;
const LONGEST_ERROR = 500;

/** Sends a delivery and writes what came of it. */
export const deliverWebhookRegistration = (services: Services): JobRegistration =>
  registerJob(deliverWebhookJob, async ({ payload: { delivery_id: id, attempt }, signal }) => {
    const task = await takeDelivery(services.db, id, attempt);
    if (task === undefined) return;
    const began = performance.now();
    const result = await send(services, task, signal);
    signal.throwIfAborted();
    await settle(services, task, attempt, { ...result, took_ms: Math.round(performance.now() - began) });
  });

interface Result {
  status: number | null;
  /** Null: it has arrived. */
  error: string | null;
}

async function send({ config }: Services, task: DeliveryTask, signal: AbortSignal): Promise<Result> {
  const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const secret = await unsealText(config, SECRET_PURPOSE, task.secret).catch((cause: unknown) => {
      throw new Error('The secret was stored under another SECRET_KEY. Create a new secret.', { cause });
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const { status, body } = await guardedFetch(task.url, {
      allowed: config.outgoingNetworks,
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Heterosis-Webhook/1',
        'heterosis-event': task.event,
        'heterosis-delivery': task.id,
        'heterosis-timestamp': String(timestamp),
        'heterosis-signature': signatureOf(secret, timestamp, task.body),
      },
      body: task.body,
      signal: AbortSignal.any([signal, timeout]),
    });
    // What it says is not wanted, so it is not read.
    body.destroy();
    return { status, error: status >= 200 && status < 300 ? null : `The receiver answered with ${status}.` };
  } catch (error) {
    const reason = timeout.aborted ? `No answer within ${ANSWER_WITHIN_MS / 1000} seconds.` : reasonOf(error);
    return { status: null, error: reason.slice(0, LONGEST_ERROR) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message !== '' ? error.message : first === undefined ? error.name : reasonOf(first);
}

async function settle(
  { db, jobs }: Services,
  task: DeliveryTask,
  attempt: number,
  { error, ...result }: Result & { took_ms: number },
): Promise<void> {
  const { organization_id: organizationId, webhook_id: webhookId } = task;
  const delaySeconds = error === null || task.event === 'test' ? undefined : RETRY_SECONDS[attempt - 1];
  const state = error === null ? 'DELIVERED' : delaySeconds === undefined ? 'FAILED' : 'WAITING';
  const next_try_at = delaySeconds === undefined ? null : new Date(Date.now() + delaySeconds * 1000).toISOString();
  await db.transaction().execute(async (trx) => {
    if (!(await updateDelivery(trx, task, attempt, { ...result, error, state, next_try_at }))) return;
    if (delaySeconds !== undefined)
      await jobs.enqueue(
        trx,
        deliverWebhookJob,
        { delivery_id: task.id, attempt: attempt + 1 },
        { organizationId, delaySeconds },
      );
    if (error === null) return await updateWebhook(trx, organizationId, webhookId, { failing_since: null });
    const now = Date.now();
    if (task.failing_since === null)
      return await updateWebhook(trx, organizationId, webhookId, { failing_since: new Date(now).toISOString() });
    if (state !== 'FAILED' || now - Date.parse(task.failing_since) < OFF_AFTER_MS) return;
    if ((await findWebhook(trx, organizationId, webhookId))?.is_active !== true) return;
    await updateWebhook(trx, organizationId, webhookId, {
      is_active: false,
      switched_off_at: new Date(now).toISOString(),
    });
    await giveUpWaiting(trx, { organizationId, webhookId });
    await jobs.enqueue(trx, sendWebhookMailJob, { organization_id: organizationId, webhook_id: webhookId });
  });
}

/** Tells who made a webhook that it was switched off. */
export const sendWebhookMailRegistration = ({ db, config, mailer }: Services): JobRegistration =>
  registerJob(sendWebhookMailJob, async ({ id, payload }) => {
    const { organization_id: organizationId, webhook_id: webhookId } = payload;
    const found = await findOffMailReceiver(db, organizationId, webhookId);
    if (found === undefined) return;
    const link = `${config.publicUrl}/organizations/${organizationId}/webhooks`;
    const name = found.name.replaceAll(/\p{Cc}/gu, ' ');
    const text = [
      `The webhook "${name}" of the organization "${found.organization_name}" was switched off,`,
      'because nothing has arrived at its address for more than three days:',
      found.url,
      '',
      'Mend the receiver, send a test, and switch the webhook on again:',
      link,
      '',
    ].join('\n');
    const job = { name: sendWebhookMailJob.name, payload };
    await mailer.send({ id, to: found.email, subject: `Webhook "${name}" was switched off`, text, link, job });
  });
