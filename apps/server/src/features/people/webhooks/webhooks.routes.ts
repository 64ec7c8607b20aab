import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  createWebhookBody,
  listWebhooksQuery,
  updateWebhookBody,
  webhook,
  webhookDelivery,
  webhookWithSecret,
} from '@heterosis/contracts/webhooks';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal } from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { COSTLY } from '../../../platform/http/costly.ts';
import {
  changeWebhook,
  createWebhook,
  listDeliveriesOf,
  listOfOrganization,
  removeWebhook,
  sendAgain,
  sendTest,
} from './webhooks.service.ts';

const config = { guard: { organization: 'MANAGER' } } as const;
const inOrganization = z.object({ organization_id: pathId });
const oneWebhook = inOrganization.extend({ id: pathId });

/** Addresses that an organization is called at when something has happened. */
export const webhookRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/organizations/:organization_id/webhooks',
    {
      config,
      schema: {
        summary: 'Webhooks of an organization',
        params: inOrganization,
        querystring: listWebhooksQuery,
        response: { 200: page(webhook) },
      },
    },
    async (request) => listOfOrganization(services, requireOrganizationAccess(request).organizationId, request.query),
  );
  app.post(
    '/organizations/:organization_id/webhooks',
    {
      config,
      schema: {
        summary: 'Register an address for events',
        description: 'Only this answer contains the secret with which signatures are checked.',
        params: inOrganization,
        body: createWebhookBody,
        response: { 201: webhookWithSecret },
      },
    },
    async (request, reply) => reply.status(201).send(await createWebhook(services, requestOf(request), request.body)),
  );
  app.put(
    '/organizations/:organization_id/webhooks/:id',
    {
      config,
      schema: {
        summary: 'Change a webhook, switch it on or off, or renew its secret',
        params: oneWebhook,
        body: updateWebhookBody,
        response: { 200: webhookWithSecret },
      },
    },
    async (request) => changeWebhook(services, requestOf(request), request.params.id, request.body),
  );
  app.delete(
    '/organizations/:organization_id/webhooks/:id',
    { config, schema: { summary: 'Delete a webhook', params: oneWebhook, response: { 204: z.null() } } },
    async (request, reply) => {
      await removeWebhook(services, requestOf(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
  registerDeliveries(app, services);
};

function registerDeliveries(app: App, services: Services): void {
  app.post(
    '/organizations/:organization_id/webhooks/:id/test',
    {
      config: { ...config, ...COSTLY },
      schema: {
        summary: 'Send a test event',
        description: 'Tried once. The list of deliveries says what came of it.',
        params: oneWebhook,
        response: { 202: webhookDelivery },
      },
    },
    async (request, reply) => reply.status(202).send(await sendTest(services, requestOf(request), request.params.id)),
  );
  app.get(
    '/organizations/:organization_id/webhooks/:id/deliveries',
    {
      config,
      schema: {
        summary: 'Deliveries of a webhook, newest first',
        params: oneWebhook,
        querystring: pageQuery,
        response: { 200: page(webhookDelivery) },
      },
    },
    async (request) => {
      const { organizationId } = requireOrganizationAccess(request);
      return listDeliveriesOf(services, organizationId, request.params.id, request.query);
    },
  );
  app.post(
    '/organizations/:organization_id/webhooks/:webhook_id/deliveries/:id/resend',
    {
      config: { ...config, ...COSTLY },
      schema: {
        summary: 'Send a delivery again',
        params: oneWebhook.extend({ webhook_id: pathId }),
        response: { 202: webhookDelivery },
      },
    },
    async (request, reply) => {
      const { webhook_id, id } = request.params;
      return reply.status(202).send(await sendAgain(services, requestOf(request), webhook_id, id));
    },
  );
}

const requestOf = (request: FastifyRequest) => ({
  access: requireOrganizationAccess(request),
  principal: requirePrincipal(request),
  requestId: request.id,
});
