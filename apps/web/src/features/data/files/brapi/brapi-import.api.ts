import { page } from '@heterosis/contracts/common';
import {
  brapiImport,
  brapiOffer,
  type lookBody,
  type resumeImportBody,
  type startImportBody,
} from '@heterosis/contracts/data/brapi-import';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

const keyOf = (projectId: string) => [...keys.project(projectId), 'brapi-imports'] as const;

/** While one is under way it is asked for every so many milliseconds: imports have no events. */
const POLL_MS = 2_000;

/** The latest imports from other servers. */
export const importsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keyOf(projectId),
    queryFn: ({ signal }) =>
      api.get(page(brapiImport), `/projects/${projectId}/brapi_imports`, { query: { limit: 5 }, signal }),
    refetchInterval: (query) =>
      query.state.data?.data.some(({ finished_at }) => finished_at === null) === true ? POLL_MS : false,
  });

export function useImportMutations(projectId: string) {
  const client = useQueryClient();
  const path = `/projects/${projectId}/brapi_imports`;
  const onSuccess = (): void => {
    void client.invalidateQueries({ queryKey: keyOf(projectId) });
    void client.invalidateQueries({ queryKey: keys.files(projectId) });
  };
  return {
    look: useMutation({ mutationFn: (body: z.input<typeof lookBody>) => api.post(brapiOffer, `${path}/look`, body) }),
    start: useMutation({
      mutationFn: (body: z.input<typeof startImportBody>) => api.post(brapiImport, path, body),
      onSuccess,
    }),
    resume: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof resumeImportBody> & { id: string }) =>
        api.post(brapiImport, `${path}/${id}/resume`, body),
      onSuccess,
    }),
    cancel: useMutation({ mutationFn: (id: string) => api.delete(`${path}/${id}`), onSuccess }),
  };
}
