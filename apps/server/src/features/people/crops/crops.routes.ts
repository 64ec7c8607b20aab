import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import { crop, cropBody } from '@heterosis/contracts/crops';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { createCrop, deleteCrop, listCrops, renameCrop } from './crops.service.ts';

const inOrganization = z.object({ organization_id: pathId });
const withId = inOrganization.extend({ id: pathId });
const manager = { guard: { organization: 'MANAGER' } } as const;

export const cropRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/organizations/:organization_id/crops',
    {
      config: { guard: { organization: 'GUEST' } },
      schema: {
        summary: 'Crops of an organization',
        params: inOrganization,
        querystring: pageQuery,
        response: { 200: page(crop) },
      },
    },
    async (request) =>
      listCrops(services, requireOrganizationAccess(request), requirePrincipal(request), request.query),
  );
  app.post(
    '/organizations/:organization_id/crops',
    {
      config: manager,
      schema: { summary: 'Add a crop', params: inOrganization, body: cropBody, response: { 201: crop } },
    },
    async (request, reply) => {
      const access = requireOrganizationAccess(request);
      return reply.status(201).send(await createCrop(services, access, requirePrincipal(request), request.body.name));
    },
  );
  app.put(
    '/organizations/:organization_id/crops/:id',
    { config: manager, schema: { summary: 'Rename a crop', params: withId, body: cropBody, response: { 200: crop } } },
    async (request) => renameCrop(services, requireOrganizationAccess(request), request.params.id, request.body.name),
  );
  app.delete(
    '/organizations/:organization_id/crops/:id',
    {
      config: manager,
      schema: { summary: 'Delete a crop that no project uses', params: withId, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await deleteCrop(services, requireOrganizationAccess(request), {
        id: request.params.id,
        principal: requirePrincipal(request),
        requestId: request.id,
      });
      return reply.status(204).send(null);
    },
  );
};
