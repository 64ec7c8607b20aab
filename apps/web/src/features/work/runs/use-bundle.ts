import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { firstPaper } from '../../../lib/browser/first-paper.ts';
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

/** Downloads the report of a run as PDF, on the paper of the country. */
export function useReport(
  projectId: string,
  { kind, endpoints }: { kind: RunKind; endpoints: Pick<SingleRunEndpoints<unknown>, 'reportRun'> },
  id: string,
) {
  return useMutation({
    mutationFn: async () =>
      downloadAnswer(
        await call(endpoints.reportRun, { project_id: projectId, id, query: { page: firstPaper() } }),
        `${RUN_KINDS[kind].path}.pdf`,
      ),
  });
}
