import { binApi } from '@heterosis/contracts/endpoints/data/bin';
import { Checkbox } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../../components/dialog/confirm-dialog.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import { showUndoToast } from '../../../../lib/browser/undo-toast.ts';
import { useProjectRights } from '../../../people/projects/index.ts';
import { fileUsageQuery, useFileMutations, useFolderMutations } from '../files.api.ts';
import { type StorageRow, thingOf } from '../storage-columns.tsx';
import { oneByOne } from './one-by-one.ts';
import { RefusedList } from './refused-list.tsx';

/**
 * Says which of the files are used by runs; who may delete them all the same ticks that. It stays open with what
 * refused, and the rest is deleted.
 */
export function DeleteSeveralDialog(props: {
  projectId: string;
  rows: readonly StorageRow[];
  onClose: (isDone: boolean) => void;
}) {
  const { projectId, onClose } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const files = useFileMutations(projectId);
  const folders = useFolderMutations(projectId);
  const mayInsist = useProjectRights(projectId).may('delete_others');
  // What was ticked when the dialog opened: deleted rows leave the table, and the selection with them.
  const [rows, setRows] = useState(props.rows);
  const [cascade, setCascade] = useState(false);
  const [ended, setEnded] = useState<Awaited<ReturnType<typeof oneByOne>>>();
  const listed = rows.filter((row) => row.kind === 'file');
  const usage = useQueries({ queries: listed.map((row) => fileUsageQuery(projectId, thingOf(row).id)) });
  const used = listed.filter((_, at) => (usage[at]?.data?.data.length ?? 0) > 0);
  const reason =
    used.length === 0 || cascade ? undefined : t(mayInsist ? 'files.deleteTickFirst' : 'files.deleteAskManager');
  const remove = (row: StorageRow) => {
    const { id } = thingOf(row);
    return row.kind === 'file' ? files.remove.mutateAsync({ id, cascade }) : folders.remove.mutateAsync(id);
  };
  const restore = async (done: readonly StorageRow[]): Promise<void> => {
    try {
      for (const row of done) {
        const { id, name, folder_id } = thingOf(row);
        // A deleted folder was empty: one like it is as good.
        if (row.kind === 'folder') await folders.create.mutateAsync({ name, folder_id });
        else await call(binApi.restore, { project_id: projectId, id });
      }
    } finally {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
    }
  };
  return (
    <ConfirmDialog
      title={t('files.bulk.deleteTitle', { count: rows.length })}
      confirmLabel={t('action.delete')}
      disabledReason={usage.some(({ isPending }) => isPending) ? t('files.usageBeingRead') : reason}
      onConfirm={async () => {
        const result = await oneByOne(rows, remove);
        if (result.done.length > 0)
          showUndoToast(t, {
            text: t('files.bulk.deleted', { count: result.done.length }),
            undone: t('files.bulk.restored', { count: result.done.length }),
            undo: () => restore(result.done),
          });
        setEnded(result);
        if (result.refused.length === 0) return;
        setRows(rows.filter((row) => !result.done.includes(row)));
        throw new Error(t('files.bulk.someRefused'));
      }}
      onClose={(isConfirmed) => onClose(isConfirmed || (ended?.done.length ?? 0) > 0)}
    >
      <p>{t('files.bulk.deleteText')}</p>
      {used.length > 0 && (
        <>
          <p>{t('files.bulk.used', { count: used.length })}</p>
          <ul>
            {used.map((row) => (
              <li key={thingOf(row).id}>{thingOf(row).name}</li>
            ))}
          </ul>
          {mayInsist && (
            <Checkbox
              label={t('files.bulk.deleteAnyway')}
              checked={cascade}
              onChange={(event) => setCascade(event.currentTarget.checked)}
            />
          )}
        </>
      )}
      {ended && <RefusedList done={ended.done.length} refused={ended.refused} />}
    </ConfirmDialog>
  );
}
