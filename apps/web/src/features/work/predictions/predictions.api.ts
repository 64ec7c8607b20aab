import { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import type { PredictionResults } from '@heterosis/contracts/work/predictions';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { readEveryPage } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateOfWhole } from '../runs/index.ts';

export const predictionRuns = runsOf('prediction', predictionsApi, stateOfWhole);

export const PAGE_SIZE = 500;

export const predictionResultsQuery = (
  projectId: string,
  predictionId: string,
  query: { sort: string | undefined; search: string },
) =>
  infiniteQueryOptions({
    queryKey: [...keys.runs('prediction', projectId), 'results', predictionId, query],
    queryFn: ({ pageParam, signal }) =>
      call(
        predictionsApi.getResults,
        {
          project_id: projectId,
          id: predictionId,
          query: { sort: query.sort, search: query.search || undefined, limit: PAGE_SIZE, cursor: pageParam },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const factorialQuery = (projectId: string, predictionId: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('prediction', projectId), 'results', predictionId, 'factorial', trait],
    queryFn: ({ signal }) =>
      call(predictionsApi.getFactorial, { project_id: projectId, id: predictionId, query: { trait } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Every individual at once, and what the first page says of all of them. */
export const allPredictionResultsQuery = (client: QueryClient, projectId: string, predictionId: string) =>
  queryOptions({
    queryKey: [...keys.runs('prediction', projectId), 'results', predictionId, 'whole'],
    queryFn: async () => {
      const pages = predictionResultsQuery(projectId, predictionId, { sort: undefined, search: '' });
      const found = await readEveryPage<PredictionResults>(client, pages);
      return { rows: found.flatMap(({ data }) => data), first: found[0] };
    },
  });

/** The names of the first individuals in this order. */
export async function bestOfPrediction(
  client: QueryClient,
  projectId: string,
  predictionId: string,
  { sort, count }: { sort: string; count: number },
): Promise<string[]> {
  const { data } = await client.fetchQuery({
    queryKey: [...keys.runs('prediction', projectId), 'results', predictionId, 'best', sort, count],
    queryFn: ({ signal }) =>
      call(
        predictionsApi.getResults,
        { project_id: projectId, id: predictionId, query: { sort, limit: count } },
        { signal },
      ),
  });
  return data.map(({ individual }) => individual);
}
