import { binApi } from '@heterosis/contracts/endpoints/data/bin';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { showUndoToast } from '../../../lib/browser/undo-toast.ts';

/** Says that a file or run was deleted, and offers to restore it. It outlives the page that deleted it. */
export function useAnnounceDeleted(projectId: string): (one: { id: string; name: string }) => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const undo = async (id: string): Promise<void> => {
    try {
      await call(binApi.restore, { project_id: projectId, id });
    } finally {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
    }
  };
  return ({ id, name }) =>
    showUndoToast(t, {
      text: t('word.wasDeleted', { name }),
      undone: t('word.wasRestored', { name }),
      undo: () => undo(id),
    });
}
