import {
  type createGwasBody,
  type Gwas,
  gwas,
  gwasDetail,
  gwasMarker,
  gwasQq,
  gwasRow,
  type updateGwasBody,
} from '@heterosis/contracts/gwas';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../lib/api-client.ts';
import { pollWhile } from '../../lib/live.ts';
import { endlessList, listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';
import { isRunning } from '../runs/run-state.ts';

const isAnyRunning = (list: readonly Gwas[] | undefined): boolean =>
  list?.some((one) => isRunning(one.status)) ?? false;
const path = (projectId: string, id: string): string => `/projects/${projectId}/gwas/${id}`;

export const gwasListQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.gwas(projectId), 'list'],
    queryFn: ({ signal }) => listAll(gwas, `/projects/${projectId}/gwas`, { signal }),
    refetchInterval: (query) => pollWhile(isAnyRunning(query.state.data)),
  });

export const gwasQuery = (projectId: string, gwasId: string) =>
  queryOptions({
    queryKey: [...keys.gwas(projectId), 'detail', gwasId],
    queryFn: ({ signal }) => api.get(gwasDetail, path(projectId, gwasId), { signal }),
    refetchInterval: (query) => pollWhile(query.state.data !== undefined && isRunning(query.state.data.status)),
  });

/** Float32 triples: index of the chromosome, position in bp, −log10 p. */
export const gwasPlotQuery = (projectId: string, gwasId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.gwas(projectId), 'plot', gwasId, trait],
    queryFn: async ({ signal }) =>
      new Float32Array(await api.binary(`${path(projectId, gwasId)}/plot`, { query: { trait }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const gwasQqQuery = (projectId: string, gwasId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.gwas(projectId), 'qq', gwasId, trait],
    queryFn: ({ signal }) => api.get(gwasQq, `${path(projectId, gwasId)}/qq`, { query: { trait }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface Region {
  chr: string;
  start: number;
  end: number;
}

export const gwasResultsQuery = (
  projectId: string,
  gwasId: string,
  query: { trait: string; sort: 'p' | 'position'; search: string; region: Region | undefined },
) =>
  endlessList({
    queryKey: [...keys.gwas(projectId), 'results', gwasId],
    path: `${path(projectId, gwasId)}/results`,
    item: gwasRow,
    query: { trait: query.trait, sort: query.sort, search: query.search || undefined, ...query.region },
  });

export const gwasMarkerQuery = (projectId: string, gwasId: string, trait: string, marker: string) =>
  queryOptions({
    queryKey: [...keys.gwas(projectId), 'marker', gwasId, trait, marker],
    queryFn: ({ signal }) =>
      api.get(gwasMarker, `${path(projectId, gwasId)}/markers/${encodeURIComponent(marker)}`, {
        query: { trait },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useGwasMutations(projectId: string) {
  const client = useQueryClient();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: keys.gwas(projectId) });
    await client.invalidateQueries({ queryKey: keys.overview(projectId) });
  };
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createGwasBody>) => api.post(gwasDetail, `/projects/${projectId}/gwas`, body),
      onSuccess: refresh,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateGwasBody> & { id: string }) =>
        api.put(gwasDetail, path(projectId, id), body),
      onSuccess: refresh,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(path(projectId, id)), onSuccess: refresh }),
    cancel: useMutation({
      mutationFn: (id: string) => api.command(`${path(projectId, id)}/cancel`),
      onSuccess: refresh,
    }),
    retry: useMutation({ mutationFn: (id: string) => api.command(`${path(projectId, id)}/retry`), onSuccess: refresh }),
  };
}
