import { binEntry, restored } from '@heterosis/contracts/bin';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api-client.ts';
import { listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';

export const binQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.bin(projectId),
    queryFn: ({ signal }) => listAll(binEntry, `/projects/${projectId}/bin`, { signal }),
  });

/**
 * Restores a deleted file or run. Also after a failure everything is read again: somebody else may have restored it.
 */
export function useRestore(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post(restored, `/projects/${projectId}/bin/${id}/restore`, undefined),
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
}
