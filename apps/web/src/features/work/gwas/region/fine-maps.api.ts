import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import type { Region } from '../view-in-address.ts';

/** While one is under way; events of the GWAS tell the end sooner. */
const POLL_MS = 3000;

const keyOf = (projectId: string, gwasId: string) => [...keys.runs('gwas', projectId), 'fine-maps', gwasId];

/** The fine mappings of regions for a trait, newest first. */
export const fineMapsQuery = (projectId: string, gwasId: string, trait: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, gwasId), trait],
    queryFn: async ({ signal }) =>
      (await call(gwasApi.listFineMaps, { project_id: projectId, id: gwasId, query: { trait } }, { signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'PROCESSING') === true ? POLL_MS : false,
  });

export const fineMapQuery = (projectId: string, gwasId: string, trait: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(projectId, gwasId), trait, id],
    queryFn: ({ signal }) =>
      call(gwasApi.readFineMap, { project_id: projectId, id: gwasId, fine_map_id: id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Starts the fine mapping of a region. */
export function useFineMapping(projectId: string, gwasId: string, trait: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ chr, start, end }: Region) =>
      call(gwasApi.createFineMap, { project_id: projectId, id: gwasId, body: { trait, chr, start, end } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(projectId, gwasId) }),
  });
}
