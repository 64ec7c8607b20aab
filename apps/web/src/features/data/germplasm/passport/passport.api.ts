import { passportsApi } from '@heterosis/contracts/endpoints/data/passports';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { isNotFound } from '../../../../lib/api/problem.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

/** All that a project knows of a line, which is given by its id, name or synonym; null: the list has no such line. */
export const passportQuery = (projectId: string, line: string) =>
  queryOptions({
    // Below the project: new trials, runs and lists of it are in the passport.
    queryKey: [...keys.project(projectId), 'passport', line],
    queryFn: ({ signal }) =>
      call(passportsApi.readPassport, { project_id: projectId, query: { line } }, { signal }).catch(
        (error: unknown) => {
          if (isNotFound(error)) return null;
          throw error;
        },
      ),
    staleTime: 30_000,
  });
