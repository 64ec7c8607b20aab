import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../../components/dialog/confirm-dialog.tsx';
import { showUndoToast } from '../../../../lib/browser/undo-toast.ts';
import { FolderSelect } from '../dialogs/folder-select.tsx';
import { useFileMutations, useFolderMutations } from '../files.api.ts';
import { type StorageRow, thingOf } from '../storage-columns.tsx';
import { oneByOne } from './one-by-one.ts';
import { RefusedList } from './refused-list.tsx';

/** Moves files and folders to a folder. It stays open with what refused, and the rest is moved. */
export function MoveSeveralDialog(props: {
  projectId: string;
  rows: readonly StorageRow[];
  onClose: (isDone: boolean) => void;
}) {
  const { projectId, onClose } = props;
  const { t } = useTranslation();
  const files = useFileMutations(projectId);
  const folders = useFolderMutations(projectId);
  // What was ticked when the dialog opened: moved rows leave the table, and the selection with them.
  const [rows, setRows] = useState(props.rows);
  const [target, setTarget] = useState<string | null>(null);
  const [ended, setEnded] = useState<Awaited<ReturnType<typeof oneByOne>>>();
  const move = (row: StorageRow, folder_id: string | null) => {
    const { id } = thingOf(row);
    return row.kind === 'file'
      ? files.update.mutateAsync({ id, folder_id })
      : folders.update.mutateAsync({ id, folder_id });
  };
  const moved = rows.filter((row) => thingOf(row).folder_id !== target);
  return (
    <ConfirmDialog
      title={t('files.bulk.moveTitle', { count: rows.length })}
      confirmLabel={t('files.bulk.moveConfirm')}
      isHarmless
      disabledReason={moved.length === 0 ? t('files.bulk.alreadyThere') : undefined}
      onConfirm={async () => {
        const result = await oneByOne(moved, (row) => move(row, target));
        if (result.done.length > 0)
          showUndoToast(t, {
            text: t('files.bulk.moved', { count: result.done.length }),
            undone: t('files.bulk.movedBack', { count: result.done.length }),
            undo: async () => {
              for (const row of result.done) await move(row, thingOf(row).folder_id);
            },
          });
        setEnded(result);
        if (result.refused.length === 0) return;
        setRows(moved.filter((row) => !result.done.includes(row)));
        throw new Error(t('files.bulk.someRefused'));
      }}
      onClose={(isConfirmed) => onClose(isConfirmed || (ended?.done.length ?? 0) > 0)}
    >
      <FolderSelect projectId={projectId} value={target} onChange={setTarget} />
      {ended && <RefusedList done={ended.done.length} refused={ended.refused} />}
    </ConfirmDialog>
  );
}
