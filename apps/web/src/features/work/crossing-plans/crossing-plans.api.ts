import { crossingPlansApi } from '@heterosis/contracts/endpoints/crossing-plans';
import {
  type createCrossingPlanBody,
  crossingPlan,
  crossingPlanDetail,
} from '@heterosis/contracts/work/crossing-plans';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runQueries, stateOfWhole, useRunMutations } from '../runs/index.ts';

const queries = runQueries('crossing_plan', { item: crossingPlan, detail: crossingPlanDetail, stateOf: stateOfWhole });
export const crossingPlansQuery = queries.list;
export const crossingPlanQuery = queries.detail;

/** What plans with other constraints are computed from, as the server stores it. */
export const planTablesQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.runs('crossing_plan', projectId), 'tables', id],
    queryFn: ({ signal }) =>
      call(crossingPlansApi.getPlanTables, { project_id: projectId, id }, { signal }).then((answer) =>
        answer.arrayBuffer(),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    // Tens of megabytes for thousands of candidates.
    gcTime: 60_000,
  });

export const useCrossingPlanMutations = (projectId: string) =>
  useRunMutations<typeof crossingPlanDetail, z.input<typeof createCrossingPlanBody>>(
    projectId,
    'crossing_plan',
    crossingPlanDetail,
  );
