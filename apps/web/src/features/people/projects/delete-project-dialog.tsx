import type { Reference } from '@heterosis/contracts/common';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { useDeleteProject } from './projects.api.ts';

export function DeleteProjectDialog({
  project,
  onClose,
}: {
  project: Reference;
  onClose: (isDeleted: boolean) => void;
}) {
  const { t } = useTranslation();
  const remove = useDeleteProject();
  return (
    <ConfirmDialog
      title={t('action.deleteTitle', { name: project.name })}
      confirmLabel={t('project.delete')}
      typeToConfirm={t('confirm.deleteWord')}
      onConfirm={() => remove.mutateAsync(project.id)}
      onClose={onClose}
    >
      {t('project.deleteText')}
    </ConfirmDialog>
  );
}
