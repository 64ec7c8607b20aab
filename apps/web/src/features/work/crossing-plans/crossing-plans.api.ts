import { crossingPlansApi } from '@heterosis/contracts/endpoints/work/crossing-plans';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateOfWhole } from '../runs/index.ts';

export const crossingPlanRuns = runsOf('crossing_plan', crossingPlansApi, stateOfWhole);

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
