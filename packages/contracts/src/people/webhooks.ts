import * as z from 'zod';
import { id, name, pageQuery, timestamp } from '../common.ts';

/** What an organization may be told of. */
export const WEBHOOK_EVENTS = ['file.ready', 'run.ended', 'crossing_table.made'] as const;
export const webhookEvent = z.enum(WEBHOOK_EVENTS);
export type WebhookEvent = z.infer<typeof webhookEvent>;

export const MOST_WEBHOOKS = 20;
/** Deliveries of each webhook that are kept, and for how long. */
export const KEPT_DELIVERIES = 500;
export const KEPT_DELIVERY_DAYS = 30;

const url = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' })
  .max(2000)
  .refine((text) => {
    if (!URL.canParse(text)) return true;
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'must not contain a user name or password')
  .describe('Receives a `POST` for each event. Addresses inside of private networks are refused when it is called.');
const events = z
  .array(webhookEvent)
  .min(1, 'Choose at least one event')
  .max(WEBHOOK_EVENTS.length)
  .describe('`crossing_table.made` comes in addition to the `file.ready` of the same file.');

export const createWebhookBody = z.object({ name, url, events });
export const updateWebhookBody = z.object({
  name: name.optional(),
  url: url.optional(),
  events: events.optional(),
  is_active: z.boolean().optional().describe('Switched off, it is told nothing; what is still waiting is given up.'),
  renew_secret: z.boolean().optional().describe('Makes a new secret, which the answer contains.'),
});

export const webhook = z
  .object({
    id,
    name: z.string(),
    url: z.string(),
    events: z.array(webhookEvent),
    is_active: z.boolean(),
    failing_since: timestamp.nullable().describe('Nothing has arrived since then; null when the last one arrived.'),
    switched_off_at: timestamp.nullable().describe('When it was switched off because nothing arrived for days.'),
    created_by: z.string().nullable().describe('Name or e-mail address of who made it.'),
    created_at: timestamp,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = webhook
  .extend({
    secret: z.string().nullable().describe('For checking signatures. Shown once; null unless it was just made.'),
  })
  .meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const webhookDelivery = z
  .object({
    id: id.describe('Stays the same when it is sent again: a receiver that knows it may ignore it.'),
    event: z.union([webhookEvent, z.literal('test')]),
    state: z.enum(['WAITING', 'DELIVERED', 'FAILED']).describe('FAILED: given up.'),
    attempts: z.number().int(),
    status: z.number().int().nullable().describe('HTTP status of the last answer.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    took_ms: z.number().int().nullable(),
    body: z.string().describe('What is sent, to the byte.'),
    created_at: timestamp,
    tried_at: timestamp.nullable(),
    next_try_at: timestamp.nullable().describe('While it waits.'),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const listWebhooksQuery = pageQuery;
