import type { createListBody, ListKind, updateListBody } from '@heterosis/contracts/data/lists';
import { listsApi } from '@heterosis/contracts/endpoints/data/lists';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** The lists of a project without their names, the newest first. */
export const listsQuery = (projectId: string, kind?: ListKind) =>
  queryOptions({
    queryKey: [...keys.lists(projectId), 'list', kind ?? ''],
    queryFn: ({ signal }) => listAll(listsApi.listLists, { project_id: projectId, query: { kind } }, signal),
  });

export const listQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.lists(projectId), 'detail', id],
    queryFn: ({ signal }) => call(listsApi.getList, { project_id: projectId, id }, { signal }),
  });

export function useListMutations(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.lists(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createListBody>) => call(listsApi.createList, { project_id: projectId, body }),
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateListBody> & { id: string }) =>
        call(listsApi.updateList, { project_id: projectId, id, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => queryClient.end(id, () => call(listsApi.deleteList, { project_id: projectId, id })),
      onSuccess,
    }),
  };
}
