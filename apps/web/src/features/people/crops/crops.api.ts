import { crop, type cropBody } from '@heterosis/contracts/crops';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { setCurrentCrop } from '../../../lib/session/current-crop.ts';

export const cropsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keys.crops(organizationId),
    queryFn: ({ signal }) => listAll(crop, `/organizations/${organizationId}/crops`, { signal }),
  });

export function useCreateCrop(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof cropBody>) => api.post(crop, `/organizations/${organizationId}/crops`, body),
    onSuccess: async ({ id }) => {
      setCurrentCrop(organizationId, id);
      await client.invalidateQueries({ queryKey: keys.crops(organizationId) });
    },
  });
}

export function useUpdateCrop(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: z.input<typeof cropBody> & { id: string }) =>
      api.put(crop, `/organizations/${organizationId}/crops/${id}`, body),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.crops(organizationId) });
      await client.invalidateQueries({ queryKey: keys.projects });
    },
  });
}

export function useDeleteCrop(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/organizations/${organizationId}/crops/${id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.crops(organizationId) }),
  });
}
