import {
  type createCrossingSimulationBody,
  crossDetail,
  crossingSimulation,
  crossingSimulationDetail,
  crossRow,
  progenyList,
} from '@heterosis/contracts/crossing-simulations';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runPath, runQueries, stateOfWhole, useRunMutations } from '../runs/index.ts';

const addressOf = (projectId: string, id: string): string => runPath('crossing_simulation', projectId, id);

const queries = runQueries('crossing_simulation', {
  item: crossingSimulation,
  detail: crossingSimulationDetail,
  stateOf: stateOfWhole,
});
export const crossingSimulationsQuery = queries.list;
export const crossingSimulationQuery = queries.detail;

/** All crosses by one trait, in the order of the crossing table; `other` adds its correlation with the trait. */
export const crossesQuery = (projectId: string, id: string, trait: string, other?: string) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'crosses', id, trait, other ?? null],
    queryFn: ({ signal }) =>
      listAll(crossRow, `${addressOf(projectId, id)}/results`, { query: { trait, with: other }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** How the simulated progeny of one cross are distributed. */
export const crossQuery = (projectId: string, id: string, place: number, trait: string) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'cross', id, place, trait],
    queryFn: ({ signal }) =>
      api.get(crossDetail, `${addressOf(projectId, id)}/crosses/${place}`, { query: { trait }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The best simulated progeny, of all crosses or of one. */
export const progenyQuery = (projectId: string, id: string, trait: string, cross?: number) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_simulation', projectId), 'progeny', id, trait, cross ?? null],
    queryFn: ({ signal }) =>
      api.get(progenyList, `${addressOf(projectId, id)}/progeny`, { query: { trait, cross, limit: 50 }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

export const useCrossingSimulationMutations = (projectId: string) =>
  useRunMutations<typeof crossingSimulationDetail, z.input<typeof createCrossingSimulationBody>>(
    projectId,
    'crossing_simulation',
    crossingSimulationDetail,
  );
