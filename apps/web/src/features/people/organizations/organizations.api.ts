import {
  type createOrganizationBody,
  organization,
  organizationDetail,
  type updateOrganizationBody,
} from '@heterosis/contracts/organizations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** One list serves the header, the selectors and the first steps, on every page. */
const LONG_STALE_MS = 60_000;

export const organizationsQuery = () =>
  queryOptions({
    queryKey: [...keys.organizations, 'list'],
    queryFn: ({ signal }) => listAll(organization, '/organizations', { signal }),
    staleTime: LONG_STALE_MS,
  });

export const organizationQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...keys.organization(organizationId), 'detail'],
    queryFn: ({ signal }) => api.get(organizationDetail, `/organizations/${organizationId}`, { signal }),
  });

export function useCreateOrganization() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof createOrganizationBody>) => api.post(organizationDetail, '/organizations', body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations }),
  });
}

export function useUpdateOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateOrganizationBody>) =>
      api.put(organizationDetail, `/organizations/${organizationId}`, body),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.organizations });
      await client.invalidateQueries({ queryKey: keys.projects });
    },
  });
}

export function useDeleteOrganization(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete(`/organizations/${organizationId}`),
    onSuccess: async () => {
      client.removeQueries({ queryKey: keys.organization(organizationId) });
      await client.invalidateQueries({ queryKey: keys.organizations });
      await client.invalidateQueries({ queryKey: keys.projects });
    },
  });
}
