import { deletedPlace, restoredPlace } from '@heterosis/contracts/bin';
import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import {
  listOrganizationsToRestore,
  listProjectsToRestore,
  restoreOrganization,
  restoreProject,
} from './deleted-places.service.ts';

const params = z.object({ organization_id: pathId });

/** The way back for deleted projects and organizations. */
export const deletedPlaceRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/organizations/:organization_id/deleted_projects',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: {
        summary: 'Projects deleted in the last 30 days, the latest first',
        params,
        querystring: pageQuery,
        response: { 200: page(deletedPlace) },
      },
    },
    async (request) => listProjectsToRestore(services, requireOrganizationAccess(request), request.query),
  );
  app.post(
    '/organizations/:organization_id/deleted_projects/:id/restore',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: {
        summary: 'Restore a deleted project',
        params: params.extend({ id: pathId }),
        response: { 200: restoredPlace },
      },
    },
    async (request) =>
      restoreProject(services, requireOrganizationAccess(request), {
        id: request.params.id,
        principal: requirePrincipal(request),
        requestId: request.id,
      }),
  );
  app.get(
    '/deleted_organizations',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Organizations that I own and that were deleted in the last 30 days, the latest first',
        querystring: pageQuery,
        response: { 200: page(deletedPlace) },
      },
    },
    async (request) => listOrganizationsToRestore(services, requirePrincipal(request), request.query),
  );
  app.post(
    '/deleted_organizations/:id/restore',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Restore a deleted organization that I own',
        params: z.object({ id: pathId }),
        response: { 200: restoredPlace },
      },
    },
    async (request) =>
      restoreOrganization(services, {
        id: request.params.id,
        principal: requirePrincipal(request),
        requestId: request.id,
      }),
  );
};
