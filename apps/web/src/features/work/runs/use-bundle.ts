import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import type { SingleRunEndpoints } from './runs-of.ts';

/** Downloads all results of a run with inputs, parameters, seed, version and methods, as a zip. */
export function useBundle(
  projectId: string,
  { kind, endpoints }: { kind: RunKind; endpoints: Pick<SingleRunEndpoints<unknown>, 'bundleRun'> },
  id: string,
) {
  return useMutation({
    mutationFn: async () =>
      downloadAnswer(await call(endpoints.bundleRun, { project_id: projectId, id }), `${RUN_KINDS[kind].path}.zip`),
  });
}
