import { parentageChecksApi } from '@heterosis/contracts/endpoints/work/parentage-checks';
import type { ParentageVerdict } from '@heterosis/contracts/work/parentage-checks';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runsOf, stateOfWhole } from '../runs/index.ts';

export const parentageCheckRuns = runsOf('parentage_check', parentageChecksApi, stateOfWhole);

const PAGE_SIZE = 200;

export const parentageResultsQuery = (
  projectId: string,
  id: string,
  query: { sort: string | undefined; search: string; verdict: ParentageVerdict | undefined },
) =>
  infiniteQueryOptions({
    queryKey: [...keys.runs('parentage_check', projectId), 'results', id, query],
    queryFn: ({ pageParam, signal }) =>
      call(
        parentageChecksApi.getParentageResults,
        {
          project_id: projectId,
          id,
          query: { ...query, search: query.search || undefined, limit: PAGE_SIZE, cursor: pageParam },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
