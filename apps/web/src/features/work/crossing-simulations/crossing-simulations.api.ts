import { crossingSimulationsApi } from '@heterosis/contracts/endpoints/work/crossing-simulations';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateOfWhole } from '../runs/index.ts';

export const crossingSimulationRuns = runsOf('crossing_simulation', crossingSimulationsApi, stateOfWhole);

/** All crosses by one trait, in the order of the crossing table; `other` adds its correlation with the trait. */
export const crossesQuery = (projectId: string, id: string, trait: string, other?: string) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'crosses', id, trait, other ?? null],
    queryFn: ({ signal }) =>
      listAll(crossingSimulationsApi.getResults, { project_id: projectId, id, query: { trait, with: other } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** How the simulated progeny of one cross are distributed. */
export const crossQuery = (projectId: string, id: string, place: number, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'cross', id, place, trait],
    queryFn: ({ signal }) =>
      call(crossingSimulationsApi.getCross, { project_id: projectId, id, place, query: { trait } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The best simulated progeny, of all crosses or of one. */
export const progenyQuery = (projectId: string, id: string, trait: string, cross?: number) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'progeny', id, trait, cross ?? null],
    queryFn: ({ signal }) =>
      call(
        crossingSimulationsApi.getProgeny,
        { project_id: projectId, id, query: { trait, cross, limit: 50 } },
        { signal },
      ),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
