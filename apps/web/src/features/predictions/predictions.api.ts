import {
  type createPredictionBody,
  type Prediction,
  prediction,
  predictionDetail,
  predictionResults,
} from '@heterosis/contracts/predictions';
import type { updateRunBody } from '@heterosis/contracts/runs';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../lib/api-client.ts';
import { pollWhile } from '../../lib/live.ts';
import { listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';

const isProcessing = (one: Pick<Prediction, 'status'>): boolean => one.status === 'PROCESSING';

export const predictionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.predictions(projectId), 'list'],
    queryFn: ({ signal }) => listAll(prediction, `/projects/${projectId}/predictions`, { signal }),
    refetchInterval: (query) => pollWhile(query.state.data?.some(isProcessing) ?? false),
  });

export const predictionQuery = (projectId: string, predictionId: string) =>
  queryOptions({
    queryKey: [...keys.predictions(projectId), 'detail', predictionId],
    queryFn: ({ signal }) =>
      api.get(predictionDetail, `/projects/${projectId}/predictions/${predictionId}`, { signal }),
    refetchInterval: (query) => pollWhile(query.state.data !== undefined && isProcessing(query.state.data)),
  });

const PAGE_SIZE = 100;

export const predictionResultsQuery = (
  projectId: string,
  predictionId: string,
  query: { sort: string; search: string },
) =>
  infiniteQueryOptions({
    queryKey: [...keys.predictions(projectId), 'results', predictionId, query],
    queryFn: ({ pageParam, signal }) =>
      api.get(predictionResults, `/projects/${projectId}/predictions/${predictionId}/results`, {
        query: { sort: query.sort, search: query.search || undefined, limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

export function usePredictionMutations(projectId: string) {
  const client = useQueryClient();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: keys.predictions(projectId) });
    await client.invalidateQueries({ queryKey: keys.overview(projectId) });
  };
  const path = (id: string) => `/projects/${projectId}/predictions/${id}`;
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createPredictionBody>) =>
        api.post(predictionDetail, `/projects/${projectId}/predictions`, body),
      onSuccess: refresh,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateRunBody> & { id: string }) =>
        api.put(predictionDetail, path(id), body),
      onSuccess: refresh,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(path(id)), onSuccess: refresh }),
    cancel: useMutation({ mutationFn: (id: string) => api.command(`${path(id)}/cancel`), onSuccess: refresh }),
    retry: useMutation({ mutationFn: (id: string) => api.command(`${path(id)}/retry`), onSuccess: refresh }),
  };
}
