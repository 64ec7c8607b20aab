import { useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../../lib/browser/modal.ts';
import { fileOfTable, isTable, usePastedText } from '../../../../lib/browser/pasted-text.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { useProjectRights } from '../../../people/projects/index.ts';
import classes from './drop-anywhere.module.css';
import { dropped, keepDropped } from './dropped-files.ts';

/**
 * Files that are dropped, and tables that are pasted, on any page of a project open the dialog of the upload. Places
 * that take them themselves have them first, and an open dialog is not left for another.
 */
export function DropAnywhere({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { folderId } = useParams({ strict: false });
  const mayUpload = useProjectRights(projectId).may('write') && modal.current === undefined;
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((transfer: DataTransfer) => {
    const { files, folders } = dropped(transfer);
    if (folders > 0) showToast({ text: t('files.upload.noFolders'), isError: true });
    if (files.length === 0) return;
    keepDropped(files);
    modal.open('upload-files', folderId);
  });
  usePastedText('frame', mayUpload, (text) => {
    if (!isTable(text)) return false;
    keepDropped([fileOfTable(text, t('files.upload.pastedName'))]);
    modal.open('upload-files', folderId);
    return true;
  });
  useEffect(() => {
    if (!mayUpload) return undefined;
    const filesIn = ({ dataTransfer, defaultPrevented }: DragEvent): DataTransfer | null =>
      !defaultPrevented && dataTransfer?.types.includes('Files') ? dataTransfer : null;
    const over = (event: DragEvent): void => {
      const isOfFiles = filesIn(event) !== null;
      // Otherwise the browser would open the file in place of the page.
      if (isOfFiles) event.preventDefault();
      setOver(isOfFiles);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      const transfer = filesIn(event);
      if (transfer === null) return;
      event.preventDefault();
      take(transfer);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [mayUpload]);
  // Dragging is an extra; the button of the files page does the same.
  return isOver && mayUpload ? (
    <div className={classes.veil} aria-hidden="true">
      <span className={classes.words}>{t('files.upload.dropHere')}</span>
    </div>
  ) : null;
}
