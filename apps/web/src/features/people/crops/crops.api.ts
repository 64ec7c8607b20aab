import { cropsApi } from '@heterosis/contracts/endpoints/people/crops';
import type { cropBody } from '@heterosis/contracts/people/crops';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { setCurrentCrop } from '../../../lib/session/current-crop.ts';

export const cropsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keys.crops(organizationId),
    queryFn: ({ signal }) => listAll(cropsApi.listCrops, { organization_id: organizationId }, signal),
  });

export function useCreateCrop(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof cropBody>) =>
      call(cropsApi.createCrop, { organization_id: organizationId, body }),
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
      call(cropsApi.renameCrop, { organization_id: organizationId, id, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.crops(organizationId) });
      await client.invalidateQueries({ queryKey: keys.projects });
    },
  });
}

export function useDeleteCrop(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(cropsApi.deleteCrop, { organization_id: organizationId, id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.crops(organizationId) }),
  });
}
