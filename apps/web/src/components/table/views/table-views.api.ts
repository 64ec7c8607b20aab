import { tableViewsApi } from '@heterosis/contracts/endpoints/people/table-views';
import type { createViewBody, updateViewBody } from '@heterosis/contracts/people/table-views';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** The views of all tables of a project. Changes are told, so one answer serves every page. */
export const tableViewsQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.tableViews(projectId),
    queryFn: ({ signal }) => call(tableViewsApi.listTableViews, { project_id: projectId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useTableViewMutations(projectId: string) {
  const client = useQueryClient();
  // Awaited: what was just saved is chosen next, and must be known by then.
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.tableViews(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createViewBody>) =>
        call(tableViewsApi.createTableView, { project_id: projectId, body }),
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateViewBody> & { id: string }) =>
        call(tableViewsApi.updateTableView, { project_id: projectId, id, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) =>
        queryClient.end(id, () => call(tableViewsApi.deleteTableView, { project_id: projectId, id })),
      onSuccess,
    }),
  };
}
