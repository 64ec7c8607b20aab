import { binEntry, restored } from '@heterosis/contracts/bin';
import { page, pageQuery } from '@heterosis/contracts/common';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers, inProject } from '../../../platform/http/project-routes.ts';
import { withId } from '../../work/runs/kind/index.ts';
import { listBin, restore } from './bin.service.ts';

export const binRoutes: FeatureRoutes = (app, services) => {
  app.get(
    '/projects/:project_id/bin',
    {
      config: forProjectMembers,
      schema: {
        summary: 'What was deleted in the last 30 days, the latest first',
        params: inProject,
        querystring: pageQuery,
        response: { 200: page(binEntry) },
      },
    },
    async (request) => listBin(services, requireProjectAccess(request), request.query),
  );
  app.post(
    '/projects/:project_id/bin/:id/restore',
    {
      config: forProjectMembers,
      schema: { summary: 'Take something out of the bin', params: withId, response: { 200: restored } },
    },
    async (request) =>
      restore(services, requireProjectAccess(request), requirePrincipal(request), {
        id: request.params.id,
        requestId: request.id,
      }),
  );
};
