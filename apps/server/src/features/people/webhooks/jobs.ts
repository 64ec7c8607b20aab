import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Sends one delivery once; a failed attempt enqueues the next. */
export const deliverWebhookJob = defineJob({
  name: 'deliver-webhook',
  lane: 'webhook',
  payload: z.object({ delivery_id: z.uuid(), attempt: z.number().int().min(1) }),
  retryDelaySeconds: 10,
  expireInSeconds: 120,
});

/** Tells who made a webhook that it was switched off. */
export const sendWebhookMailJob = defineJob({
  name: 'send-webhook-mail',
  lane: 'mail',
  payload: z.object({ organization_id: z.uuid(), webhook_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
