import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { runPath } from './run-queries.ts';

/** Downloads all results of a run with inputs, parameters, seed, version and methods, as a zip. */
export function useBundle(projectId: string, kind: RunKind, id: string) {
  return useMutation({
    mutationFn: async () =>
      downloadAnswer(await api.stream(`${runPath(kind, projectId, id)}/bundle`), `${RUN_KINDS[kind].path}.zip`),
  });
}
