import { pathId } from '@heterosis/contracts/common';
import { foundThings, searchQuery } from '@heterosis/contracts/search';
import * as z from 'zod';
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { ofProject } from '../germplasm/index.ts';
import { findByName } from './search.queries.ts';

export const searchRoutes: FeatureRoutes = (app, { db }) => {
  app.get(
    '/projects/:project_id/search',
    {
      config: { guard: { project: 'MEMBER' } },
      schema: {
        summary: 'Files, folders, runs and germplasm by name',
        params: z.object({ project_id: pathId }),
        querystring: searchQuery,
        response: { 200: foundThings },
      },
    },
    async (request) => {
      const access = requireProjectAccess(request);
      const { scope } = await ofProject(db, access);
      return { data: await findByName(db, { projectId: access.projectId, scope }, request.query.search) };
    },
  );
};
