import type { File } from '@heterosis/contracts/data/files';
import type { Folder } from '@heterosis/contracts/data/folders';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../../components/dialog/confirm-dialog.tsx';
import { showUndoToast } from '../../../../lib/browser/undo-toast.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { useProjectRights } from '../../../people/projects/index.ts';
import { useAnnounceDeleted } from '../../bin/index.ts';
import { fileUsageQuery, useFileMutations, useFolderMutations } from '../files.api.ts';

/**
 * Says at once which runs use the file. Who may delete it all the same ticks that; anybody else is told whom to ask. A
 * run that began meanwhile makes the server refuse, and is then in the list.
 */
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
  const mayInsist = useProjectRights(projectId).may('delete_others');
  const usage = useQuery(fileUsageQuery(projectId, file.id));
  const [cascade, setCascade] = useState(false);
  const users = usage.data?.data ?? [];
  const shown = users.slice(0, SHOWN_USERS);
  const reason =
    users.length === 0 || cascade ? undefined : t(mayInsist ? 'files.deleteTickFirst' : 'files.deleteAskManager');
  return (
    <ConfirmDialog
      title={t('action.deleteTitle', { name: file.name })}
      confirmLabel={t('files.delete')}
      disabledReason={usage.isPending ? t('files.usageBeingRead') : reason}
      onConfirm={async () => {
        await remove.mutateAsync({ id: file.id, cascade });
        announce(file);
      }}
      onClose={onClose}
    >
      <p>{t('files.deleteText')}</p>
      {users.length > 0 && (
        <>
          <p>{t('files.usedBy', { count: users.length, formatted: formatCount(users.length) })}</p>
          <ul>
            {shown.map((one) => (
              <li key={one.id}>
                {one.name} <span className="hx-muted">{t(`kind.${one.kind}`)}</span>
              </li>
            ))}
            {users.length > shown.length && <li>{t('word.andCountMore', { count: users.length - shown.length })}</li>}
          </ul>
          {mayInsist && (
            <Checkbox
              label={t('files.deleteAnyway')}
              checked={cascade}
              onChange={(event) => setCascade(event.currentTarget.checked)}
            />
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

/** A list of more would hide the buttons of the dialog. */
const SHOWN_USERS = 8;

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
          text: t('word.wasDeleted', { name }),
          undone: t('word.wasRestored', { name }),
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
