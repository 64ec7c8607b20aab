import type { restoredPlace } from '@heterosis/contracts/data/bin';
import { deletedPlacesApi } from '@heterosis/contracts/endpoints/data/deleted-places';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

export const deletedProjectsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keys.deletedProjects(organizationId),
    queryFn: ({ signal }) =>
      listAll(deletedPlacesApi.listProjectsToRestore, { organization_id: organizationId }, signal),
  });

export const deletedOrganizationsQuery = () =>
  queryOptions({
    queryKey: keys.deletedOrganizations,
    queryFn: ({ signal }) => listAll(deletedPlacesApi.listOrganizationsToRestore, {}, signal),
  });

/** Also after a failure the lists are read again: somebody else may have restored it. */
function useRestorePlace(mutationFn: (id: string) => Promise<z.output<typeof restoredPlace>>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.organizations }),
        client.invalidateQueries({ queryKey: keys.projects }),
      ]),
  });
}

export const useRestoreProject = (organizationId: string) =>
  useRestorePlace((id) => call(deletedPlacesApi.restoreProject, { organization_id: organizationId, id }));

export const useRestoreOrganization = () => useRestorePlace((id) => call(deletedPlacesApi.restoreOrganization, { id }));
