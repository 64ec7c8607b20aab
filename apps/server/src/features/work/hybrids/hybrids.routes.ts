import { pathId } from '@heterosis/contracts/common';
import { fileDetail, makeHybridsBody } from '@heterosis/contracts/files';
import * as z from 'zod';
import { requirePrincipal, requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { cancelDerivation } from '../../data/files/index.ts';
import { makeHybrids } from './hybrids.service.ts';

const path = '/projects/:project_id/files/:file_id/hybrids';
const params = z.object({ project_id: pathId, file_id: pathId });

export const hybridRoutes: FeatureRoutes = (app, services) => {
  app.post(
    path,
    {
      config: forProjectMembers,
      schema: {
        summary: 'Make the genotypes of the F1 hybrids of a crossing table or of two pools; they become a file',
        params,
        body: makeHybridsBody,
        response: { 202: fileDetail },
      },
    },
    async (request, reply) =>
      reply
        .status(202)
        .send(
          await makeHybrids(
            services,
            requireProjectAccess(request),
            requirePrincipal(request),
            request.params.file_id,
            request.body,
          ),
        ),
  );
  app.delete(
    path,
    {
      config: forProjectMembers,
      schema: { summary: 'Stop the making of hybrids', params, response: { 200: fileDetail } },
    },
    async (request) =>
      cancelDerivation(
        services,
        requireProjectAccess(request),
        requirePrincipal(request),
        request.params.file_id,
        'hybrids',
      ),
  );
};
