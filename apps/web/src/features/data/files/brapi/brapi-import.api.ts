import type { lookBody, resumeImportBody, startImportBody } from '@heterosis/contracts/data/brapi-import';
import { brapiImportsApi } from '@heterosis/contracts/endpoints/data/brapi-imports';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

const keyOf = (projectId: string) => [...keys.project(projectId), 'brapi-imports'] as const;

/** While one is under way it is asked for every so many milliseconds: imports have no events. */
const POLL_MS = 2_000;

/** The latest imports from other servers. */
export const importsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keyOf(projectId),
    queryFn: ({ signal }) =>
      call(brapiImportsApi.listProjectImports, { project_id: projectId, query: { limit: 5 } }, { signal }),
    refetchInterval: (query) =>
      query.state.data?.data.some(({ finished_at }) => finished_at === null) === true ? POLL_MS : false,
  });

export function useImportMutations(projectId: string) {
  const client = useQueryClient();
  const project = { project_id: projectId };
  const onSuccess = (): void => {
    void client.invalidateQueries({ queryKey: keyOf(projectId) });
    void client.invalidateQueries({ queryKey: keys.files(projectId) });
  };
  return {
    look: useMutation({
      mutationFn: (body: z.input<typeof lookBody>) => call(brapiImportsApi.look, { ...project, body }),
    }),
    start: useMutation({
      mutationFn: (body: z.input<typeof startImportBody>) => call(brapiImportsApi.startImport, { ...project, body }),
      onSuccess,
    }),
    resume: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof resumeImportBody> & { id: string }) =>
        call(brapiImportsApi.resumeImport, { ...project, id, body }),
      onSuccess,
    }),
    cancel: useMutation({
      mutationFn: (id: string) => call(brapiImportsApi.cancelImport, { ...project, id }),
      onSuccess,
    }),
  };
}
