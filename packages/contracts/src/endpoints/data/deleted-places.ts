import { page, pageQuery } from '../../common.ts';
import { deletedPlace, restoredPlace } from '../../data/bin.ts';
import { type Endpoints, get, post } from '../../endpoint.ts';

export const deletedPlacesApi = {
  listProjectsToRestore: get(
    '/organizations/:organization_id/deleted_projects',
    { organization: 'MANAGER' },
    {
      summary: 'Projects deleted in the last 30 days, the latest first',
      query: pageQuery,
      answer: page(deletedPlace),
    },
  ),
  restoreProject: post(
    '/organizations/:organization_id/deleted_projects/:id/restore',
    { organization: 'MANAGER' },
    {
      summary: 'Restore a deleted project',
      answer: restoredPlace,
    },
  ),
  listOrganizationsToRestore: get('/deleted_organizations', 'signed-in', {
    summary: 'Organizations that I own and that were deleted in the last 30 days, the latest first',
    query: pageQuery,
    answer: page(deletedPlace),
  }),
  restoreOrganization: post('/deleted_organizations/:id/restore', 'signed-in', {
    summary: 'Restore a deleted organization that I own',
    answer: restoredPlace,
  }),
} as const satisfies Endpoints;
