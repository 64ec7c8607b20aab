import { parentageChecksApi } from '@heterosis/contracts/endpoints/parentage-checks';
import {
  type createParentageCheckBody,
  type ParentageVerdict,
  parentageCheck,
  parentageCheckDetail,
} from '@heterosis/contracts/work/parentage-checks';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { runQueries, stateOfWhole, useRunMutations } from '../runs/index.ts';

const queries = runQueries('parentage_check', {
  item: parentageCheck,
  detail: parentageCheckDetail,
  stateOf: stateOfWhole,
});
export const parentageChecksQuery = queries.list;
export const parentageCheckQuery = queries.detail;

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

export const useParentageCheckMutations = (projectId: string) =>
  useRunMutations<typeof parentageCheckDetail, z.input<typeof createParentageCheckBody>>(
    projectId,
    'parentage_check',
    parentageCheckDetail,
  );
