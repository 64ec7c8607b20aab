import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { fileQuery } from '../files/index.ts';

const LOOK_MS = 500;
const TRIES = 120;

/**
 * Makes the values of a trial that count now a version of its phenotype file, waits until that has been checked, and
 * opens the dialog of an analysis with it.
 */
export function useAnalyse(projectId: string, trialId: string) {
  const client = useQueryClient();
  const modal = useModal();
  return useMutation({
    mutationFn: async () => {
      const { id } = await call(trialsApi.freezeTrial, { project_id: projectId, id: trialId });
      for (let tries = 0; tries < TRIES; tries++) {
        const { status } = await client.fetchQuery({ ...fileQuery(projectId, id), staleTime: 0 });
        if (status !== 'UPLOADED' && status !== 'CHECKING') break;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      return id;
    },
    onSuccess: (id) => modal.open('create-trial-analysis', `phenotype:${id}`),
  });
}
