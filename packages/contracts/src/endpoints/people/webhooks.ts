import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, post, put } from '../../endpoint.ts';
import {
  createWebhookBody,
  listWebhooksQuery,
  updateWebhookBody,
  webhook,
  webhookDelivery,
  webhookWithSecret,
} from '../../people/webhooks.ts';

export const webhooksApi = {
  listOfOrganization: get(
    '/organizations/:organization_id/webhooks',
    { organization: 'MANAGER' },
    {
      summary: 'Webhooks of an organization',
      query: listWebhooksQuery,
      answer: page(webhook),
    },
  ),
  createWebhook: post(
    '/organizations/:organization_id/webhooks',
    { organization: 'MANAGER' },
    {
      summary: 'Register an address for events',
      description: 'Only this answer contains the secret with which signatures are checked.',
      body: createWebhookBody,
      answer: webhookWithSecret,
      status: 201,
    },
  ),
  changeWebhook: put(
    '/organizations/:organization_id/webhooks/:id',
    { organization: 'MANAGER' },
    {
      summary: 'Change a webhook, switch it on or off, or renew its secret',
      body: updateWebhookBody,
      answer: webhookWithSecret,
    },
  ),
  removeWebhook: del(
    '/organizations/:organization_id/webhooks/:id',
    { organization: 'MANAGER' },
    {
      summary: 'Delete a webhook',
    },
  ),
  sendTest: post(
    '/organizations/:organization_id/webhooks/:id/test',
    { organization: 'MANAGER' },
    {
      summary: 'Send a test event',
      description: 'Tried once. The list of deliveries says what came of it.',
      answer: webhookDelivery,
      status: 202,
      costly: true,
    },
  ),
  listDeliveriesOf: get(
    '/organizations/:organization_id/webhooks/:id/deliveries',
    { organization: 'MANAGER' },
    {
      summary: 'Deliveries of a webhook, newest first',
      query: pageQuery,
      answer: page(webhookDelivery),
    },
  ),
  sendAgain: post(
    '/organizations/:organization_id/webhooks/:webhook_id/deliveries/:id/resend',
    { organization: 'MANAGER' },
    {
      summary: 'Send a delivery again',
      answer: webhookDelivery,
      status: 202,
      costly: true,
    },
  ),
} as const satisfies Endpoints;
