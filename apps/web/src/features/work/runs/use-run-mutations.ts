import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { updateRunBody } from '@heterosis/contracts/work/runs';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import type { SingleRunEndpoints } from './runs-of.ts';

/** What is to be read again when runs of a kind have changed. */
export function useRunsChanged(projectId: string, kind: RunKind): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: keys.runs(kind, projectId) });
    await client.invalidateQueries({ queryKey: keys.overview(projectId) });
  };
}

/** What can be done with a run of one kind. */
export function useRunMutations<Detail>(
  projectId: string,
  { kind, endpoints }: { kind: RunKind; endpoints: SingleRunEndpoints<Detail> },
) {
  const onSuccess = useRunsChanged(projectId, kind);
  const of = (id: string) => ({ project_id: projectId, id });
  return {
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateRunBody> & { id: string }) =>
        call(endpoints.updateRun, { ...of(id), body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => queryClient.end(id, () => call(endpoints.deleteRun, of(id))),
      onSuccess,
    }),
    cancel: useMutation({ mutationFn: (id: string) => call(endpoints.cancelRun, of(id)), onSuccess }),
    retry: useMutation({ mutationFn: (id: string) => call(endpoints.retryRun, of(id)), onSuccess }),
  };
}
