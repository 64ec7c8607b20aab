import type { File } from '@heterosis/contracts/files';
import type { Folder } from '@heterosis/contracts/folders';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Problem } from '../../../lib/problem.ts';
import { showUndoToast } from '../../../lib/undo-toast.ts';
import { useAnnounceDeleted } from '../../bin/index.ts';
import { useFileMutations, useFolderMutations } from '../files.api.ts';

interface Dependant {
  kind: string;
  id: string;
  name: string;
}

/** A file that runs use is refused first; then it says which, and asks for a tick. */
export function DeleteFileDialog({
  projectId,
  file,
  onClose,
}: {
  projectId: string;
  file: Pick<File, 'id' | 'name'>;
  onClose: (deleted: boolean) => void;
}) {
  const { t } = useTranslation();
  const { remove } = useFileMutations(projectId);
  const announce = useAnnounceDeleted(projectId);
  const [dependants, setDependants] = useState<Dependant[]>();
  const [cascade, setCascade] = useState(false);
  return (
    <ConfirmDialog
      title={t('files.deleteTitle', { name: file.name })}
      confirmLabel={t('files.delete')}
      onConfirm={async () => {
        try {
          await remove.mutateAsync({ id: file.id, cascade });
          announce(file);
        } catch (error) {
          if (error instanceof Problem && error.code === 'files/in-use') {
            setDependants((error.details.dependants ?? []) as Dependant[]);
          }
          throw error;
        }
      }}
      onClose={onClose}
    >
      <p>{t('files.deleteText')}</p>
      {dependants && (
        <>
          <ul>
            {dependants.map((one) => (
              <li key={one.id}>{one.name}</li>
            ))}
          </ul>
          <Checkbox
            label={t('files.deleteAnyway')}
            checked={cascade}
            onChange={(event) => setCascade(event.currentTarget.checked)}
          />
        </>
      )}
    </ConfirmDialog>
  );
}

export function DeleteFolderDialog({
  projectId,
  folder,
  onClose,
}: {
  projectId: string;
  folder: Pick<Folder, 'id' | 'name' | 'folder_id'>;
  onClose: (deleted: boolean) => void;
}) {
  const { t } = useTranslation();
  const { remove, create } = useFolderMutations(projectId);
  return (
    <ConfirmDialog
      title={t('files.deleteFolderTitle', { name: folder.name })}
      confirmLabel={t('files.deleteFolder')}
      onConfirm={async () => {
        await remove.mutateAsync(folder.id);
        const { name, folder_id } = folder;
        showUndoToast(t, {
          text: t('bin.moved', { name }),
          undone: t('bin.restored', { name }),
          // It was empty: one like it is as good.
          undo: () => create.mutateAsync({ name, folder_id }),
        });
      }}
      onClose={onClose}
    >
      {t('files.deleteFolderText')}
    </ConfirmDialog>
  );
}
