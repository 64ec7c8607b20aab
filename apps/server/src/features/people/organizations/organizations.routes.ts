import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  createOrganizationBody,
  organization,
  organizationDetail,
  updateOrganizationBody,
} from '@heterosis/contracts/organizations';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal } from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  type EndSubscription,
  listOrganizations,
  readOrganization,
} from './organizations.service.ts';

const params = z.object({ organization_id: pathId });

export const organizationRoutes =
  (endSubscription: EndSubscription): FeatureRoutes =>
  (app, services) => {
    app.get(
      '/organizations',
      {
        config: { guard: 'signed-in' },
        schema: { summary: 'My organizations', querystring: pageQuery, response: { 200: page(organization) } },
      },
      async (request) => listOrganizations(services, requirePrincipal(request), request.query),
    );
    app.post(
      '/organizations',
      {
        config: { guard: 'signed-in' },
        schema: {
          summary: 'Create an organization',
          body: createOrganizationBody,
          response: { 201: organizationDetail },
        },
      },
      async (request, reply) => {
        const asked = { principal: requirePrincipal(request), requestId: request.id };
        return reply.status(201).send(await createOrganization(services, asked, request.body.name));
      },
    );
    registerRoutesOfOne(app, { ...services, endSubscription });
  };

function registerRoutesOfOne(app: App, services: Services & { endSubscription: EndSubscription }): void {
  app.get(
    '/organizations/:organization_id',
    {
      config: { guard: { organization: 'GUEST' } },
      schema: { summary: 'Read an organization', params, response: { 200: organizationDetail } },
    },
    async (request) =>
      readOrganization(services, requirePrincipal(request), requireOrganizationAccess(request).organizationId),
  );
  app.put(
    '/organizations/:organization_id',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: {
        summary: 'Change an organization',
        params,
        body: updateOrganizationBody,
        response: { 200: organizationDetail },
      },
    },
    async (request) => changeOrganization(services, requestOf(request), request.body),
  );
  app.delete(
    '/organizations/:organization_id',
    {
      config: { guard: { organization: 'OWNER' } },
      schema: {
        summary: 'Delete an organization',
        params,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteOrganization(services, requestOf(request));
      return reply.status(204).send(null);
    },
  );
}

const requestOf = (request: FastifyRequest) => ({
  access: requireOrganizationAccess(request),
  principal: requirePrincipal(request),
  requestId: request.id,
});
