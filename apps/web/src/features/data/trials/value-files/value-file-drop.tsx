import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dropped } from '../../files/index.ts';
import classes from './value-files.module.css';

/** A page on which a file of values may be dropped; a button does the same. */
export function ValueFileDrop(props: { isOff: boolean; onFile: (file: File) => void; children: ReactNode }) {
  const { isOff, onFile, children } = props;
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  if (isOff) return children;
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');
  return (
    <div
      className={classes.page}
      data-over={isOver || undefined}
      data-drop={t('trials.file.drop')}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const [file] = dropped(event.dataTransfer).files;
        if (file) onFile(file);
      }}
    >
      {children}
    </div>
  );
}
