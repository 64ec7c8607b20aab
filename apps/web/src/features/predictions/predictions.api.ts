import {
  type createPredictionBody,
  type Prediction,
  prediction,
  predictionDetail,
  predictionResults,
} from '@heterosis/contracts/predictions';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../lib/api-client.ts';
import { pollWhile } from '../../lib/live.ts';
import { listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';
import { useRunMutations } from '../runs/index.ts';

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

const PAGE_SIZE = 500;

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
    placeholderData: keepPreviousData,
  });

export const usePredictionMutations = (projectId: string) =>
  useRunMutations<typeof predictionDetail, z.input<typeof createPredictionBody>>(
    projectId,
    'predictions',
    predictionDetail,
  );
