import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../lib/api/api-client.ts';
import { showUndoToast } from '../../../../lib/browser/undo-toast.ts';
import { dismissUpload, isActive, refreshFiles, type Upload } from './uploads.ts';

/**
 * Says that files were uploaded, once the last of them is there, and offers to delete them again. What took the place
 * of another file is left out: its deletion would not bring the other one back.
 */
export function useAnnounceUploads(uploads: readonly Upload[]): void {
  const { t } = useTranslation();
  const announced = useRef(new Set<string>());
  useEffect(() => {
    if (uploads.some(isActive)) return;
    const fresh = uploads.filter(
      ({ id, state, replaces }) => state === 'sent' && replaces === null && !announced.current.has(id),
    );
    if (fresh.length === 0) return;
    for (const { id } of fresh) announced.current.add(id);
    const texts = { count: fresh.length, name: fresh[0]?.name ?? '' };
    showUndoToast(t, {
      text: t('files.upload.uploaded', texts),
      undone: t('files.upload.undone', texts),
      undo: () => Promise.all(fresh.map(deleteUploaded)),
    });
  }, [uploads, t]);
}

async function deleteUploaded({ id, projectId, uploadId }: Upload): Promise<void> {
  try {
    if (uploadId !== undefined) await call(filesApi.deleteFile, { project_id: projectId, file_id: uploadId });
    dismissUpload(id);
  } finally {
    await refreshFiles(projectId);
  }
}
