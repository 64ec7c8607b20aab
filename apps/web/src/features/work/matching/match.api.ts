import type { matchBody } from '@heterosis/contracts/data/match';
import { germplasmOfProjectApi } from '@heterosis/contracts/endpoints/data/germplasm';
import { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** Stores renames as synonyms of the germplasm; what matches by them matches in every later run. */
export function useKeepSynonyms(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (pairs: { from: string; to: string }[]) =>
      call(germplasmOfProjectApi.keepSynonyms, { project_id: projectId, body: { pairs } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.match(projectId) }),
        client.invalidateQueries({ queryKey: keys.allGermplasm }),
      ]),
  });
}

export const matchQuery = (projectId: string, body: z.input<typeof matchBody>) =>
  queryOptions({
    queryKey: [...keys.match(projectId), body],
    queryFn: ({ signal }) => call(matchingApi.matchInputs, { project_id: projectId, body }, { signal }),
    staleTime: 60_000,
  });
