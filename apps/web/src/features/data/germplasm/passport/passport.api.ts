import type { chooseLociBody } from '@heterosis/contracts/data/passports';
import { passportsApi } from '@heterosis/contracts/endpoints/data/passports';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../../lib/api/api-client.ts';
import { isNotFound } from '../../../../lib/api/problem.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

const passportsOf = (projectId: string) => [...keys.project(projectId), 'passport'];

/** All that a project knows of a line, which is given by its id, name or synonym; null: the list has no such line. */
export const passportQuery = (projectId: string, line: string) =>
  queryOptions({
    // Below the project: new trials, runs and lists of it are in the passport.
    queryKey: [...passportsOf(projectId), line],
    queryFn: ({ signal }) =>
      call(passportsApi.readPassport, { project_id: projectId, query: { line } }, { signal }).catch(
        (error: unknown) => {
          if (isNotFound(error)) return null;
          throw error;
        },
      ),
    staleTime: 30_000,
  });

/** The loci that passports of the project show. */
export const chosenLociQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'passport loci'],
    queryFn: ({ signal }) => call(passportsApi.readChosenLoci, { project_id: projectId }, { signal }),
  });

export function useChooseLoci(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof chooseLociBody>) =>
      call(passportsApi.chooseLoci, { project_id: projectId, body }),
    onSuccess: async (chosen) => {
      client.setQueryData(chosenLociQuery(projectId).queryKey, chosen);
      await client.invalidateQueries({ queryKey: passportsOf(projectId) });
    },
  });
}
