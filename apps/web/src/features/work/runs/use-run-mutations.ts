import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type { updateRunBody } from '@heterosis/contracts/work/runs';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** What can be done with the runs of one kind; `detail` is the contract of what creating and changing answer. */
export function useRunMutations<Detail extends z.ZodType, Body extends object>(
  projectId: string,
  kind: RunKind,
  detail: Detail,
) {
  const client = useQueryClient();
  const onSuccess = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: keys.runs(kind, projectId) });
    await client.invalidateQueries({ queryKey: keys.overview(projectId) });
  };
  const list = `/projects/${projectId}/${RUN_KINDS[kind].path}`;
  return {
    create: useMutation({ mutationFn: (body: Body) => api.post(detail, list, body), onSuccess }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateRunBody> & { id: string }) =>
        api.put(detail, `${list}/${id}`, body),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(`${list}/${id}`), onSuccess }),
    cancel: useMutation({ mutationFn: (id: string) => api.command(`${list}/${id}/cancel`), onSuccess }),
    retry: useMutation({ mutationFn: (id: string) => api.command(`${list}/${id}/retry`), onSuccess }),
  };
}

export type RunMutations = ReturnType<typeof useRunMutations<z.ZodType, object>>;
