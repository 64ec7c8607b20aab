import {
  type createListBody,
  type ListKind,
  savedList,
  savedListDetail,
  type updateListBody,
} from '@heterosis/contracts/lists';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** The lists of a project without their names, the newest first. */
export const listsQuery = (projectId: string, kind?: ListKind) =>
  queryOptions({
    queryKey: [...keys.lists(projectId), 'list', kind ?? ''],
    queryFn: ({ signal }) => listAll(savedList, `/projects/${projectId}/lists`, { query: { kind }, signal }),
  });

export const listQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.lists(projectId), 'detail', id],
    queryFn: ({ signal }) => api.get(savedListDetail, `/projects/${projectId}/lists/${id}`, { signal }),
  });

export function useListMutations(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.lists(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createListBody>) =>
        api.post(savedListDetail, `/projects/${projectId}/lists`, body),
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateListBody> & { id: string }) =>
        api.put(savedListDetail, `/projects/${projectId}/lists/${id}`, body),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.delete(`/projects/${projectId}/lists/${id}`),
      onSuccess,
    }),
  };
}
