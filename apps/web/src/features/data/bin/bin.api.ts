import type { Restored } from '@heterosis/contracts/data/bin';
import { binApi } from '@heterosis/contracts/endpoints/data/bin';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import { singleRunEndpoints } from '@heterosis/contracts/endpoints/work/run-endpoints';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { showUndoToast } from '../../../lib/browser/undo-toast.ts';

export const binQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.bin(projectId),
    queryFn: ({ signal }) => listAll(binApi.listBin, { project_id: projectId }, signal),
  });

/**
 * Restores a deleted file, trial or run, and offers to delete it again. Everything is read again also after a failure:
 * somebody else may have restored it.
 */
export function useRestore(projectId: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: keys.project(projectId) });
  const deleteAgain = async ({ kind, id }: Restored): Promise<void> => {
    if (kind === 'photo') return;
    try {
      if (kind === 'file') await call(filesApi.deleteFile, { project_id: projectId, file_id: id });
      else if (kind === 'trial') await call(trialsApi.deleteTrial, { project_id: projectId, id });
      else if (kind === 'decision') await call(decisionsApi.deleteDecision, { project_id: projectId, id });
      else await call(singleRunEndpoints(kind, z.unknown()).deleteRun, { project_id: projectId, id });
    } finally {
      await onSettled();
    }
  };
  return useMutation({
    mutationFn: (id: string) => call(binApi.restore, { project_id: projectId, id }),
    onSuccess: (one) => {
      const text = t('word.wasRestored', { name: one.name });
      // A photo is deleted where it is seen.
      if (one.kind === 'photo') showToast({ text });
      else showUndoToast(t, { text, undone: t('word.wasDeleted', { name: one.name }), undo: () => deleteAgain(one) });
    },
    onSettled,
  });
}
