import { organizationsApi } from '@heterosis/contracts/endpoints/people/organizations';
import type { createOrganizationBody, updateOrganizationBody } from '@heterosis/contracts/people/organizations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';

/** One list serves the header, the selectors and the first steps, on every page. */
const LONG_STALE_MS = 60_000;

export const organizationsQuery = () =>
  queryOptions({
    queryKey: [...keys.organizations, 'list'],
    queryFn: ({ signal }) => listAll(organizationsApi.listOrganizations, {}, signal),
    enabled: guestProject() === undefined,
    staleTime: LONG_STALE_MS,
  });

export const organizationQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...keys.organization(organizationId), 'detail'],
    queryFn: ({ signal }) => call(organizationsApi.readOrganization, { organization_id: organizationId }, { signal }),
    enabled: guestProject() === undefined,
  });

export function useCreateOrganization() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof createOrganizationBody>) => call(organizationsApi.createOrganization, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations }),
  });
}

export function useUpdateOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateOrganizationBody>) =>
      call(organizationsApi.changeOrganization, { organization_id: organizationId, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.organizations });
      await client.invalidateQueries({ queryKey: keys.projects });
    },
  });
}

export function useDeleteOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      queryClient.end(organizationId, () =>
        call(organizationsApi.deleteOrganization, { organization_id: organizationId }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.organizations });
      await client.invalidateQueries({ queryKey: keys.projects });
    },
  });
}
