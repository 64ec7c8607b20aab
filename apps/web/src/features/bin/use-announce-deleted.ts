import { restored } from '@heterosis/contracts/bin';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api-client.ts';
import { asProblem } from '../../lib/problem.ts';
import { keys } from '../../lib/query-keys.ts';
import { showToast } from '../../lib/toast.ts';

/** Says that a file or run was deleted, and offers to restore it. It outlives the page that deleted it. */
export function useAnnounceDeleted(projectId: string): (one: { id: string; name: string }) => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const undo = async (id: string): Promise<void> => {
    try {
      const { name } = await api.post(restored, `/projects/${projectId}/bin/${id}/restore`, undefined);
      showToast({ text: t('bin.restored', { name }) });
    } catch (error) {
      showToast({ text: asProblem(error).message, isError: true });
    }
    await client.invalidateQueries({ queryKey: keys.project(projectId) });
  };
  return ({ id, name }) =>
    showToast({
      text: t('bin.moved', { name }),
      action: {
        label: t('bin.undo'),
        run: () => {
          showToast(undefined);
          void undo(id);
        },
      },
    });
}
