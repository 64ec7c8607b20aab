import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api-client.ts';
import { downloadAnswer } from '../../lib/download.ts';
import type { RunKind } from './run-kind.ts';

/** Downloads all results of a run with inputs, parameters, seed, version and methods, as a zip. */
export function useBundle(projectId: string, kind: RunKind, id: string) {
  return useMutation({
    mutationFn: async () =>
      downloadAnswer(await api.stream(`/projects/${projectId}/${kind}/${id}/bundle`), `${kind}.zip`),
  });
}
