import {
  createParentageCheckBody,
  listParentageChecksQuery,
  parentageCheck,
  parentageCheckDetail,
  parentageResults,
  parentageResultsQuery,
} from '@heterosis/contracts/parentage-checks';
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { forProjectMembers } from '../../../platform/http/project-routes.ts';
import { registerRunKindRoutes, withId } from '../runs/kind/index.ts';
import { parentageChecks } from './parentage-check.kind.ts';
import { createParentageCheck, getParentageResults } from './parentage-checks.service.ts';

export const parentageCheckRoutes: FeatureRoutes = (app, services) => {
  registerRunKindRoutes(app, services, parentageChecks, {
    item: parentageCheck,
    detail: parentageCheckDetail,
    list: { summary: 'List parentage checks, newest first', query: listParentageChecksQuery },
    create: {
      summary: 'Check a genotype against a pedigree',
      body: createParentageCheckBody,
      create: createParentageCheck,
    },
  });
  app.get(
    '/projects/:project_id/parentage_checks/:id/results',
    {
      config: forProjectMembers,
      schema: {
        summary: 'What was found of each individual, page by page',
        params: withId,
        querystring: parentageResultsQuery,
        response: { 200: parentageResults },
      },
    },
    async (request) => getParentageResults(services, requireProjectAccess(request), request.params.id, request.query),
  );
};
