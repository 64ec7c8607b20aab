import { Button, FileButton } from '@mantine/core';
import { type DragEvent, type ReactNode, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dropped } from './dropped-files.ts';
import classes from './file-drop.module.css';

interface FileDropProps {
  label: string;
  multiple: boolean;
  /** Files are chosen already: it is no longer what the dialog is about. */
  isSmall: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
  onFiles: (files: File[]) => void;
  /** What can be chosen. */
  children?: ReactNode;
}

/** Where files of this computer are chosen or dropped. */
export function FileDrop({ label, multiple, isSmall, buttonRef, onFiles, children }: FileDropProps) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const [hasFolders, setHasFolders] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const { files, folders } = dropped(event.dataTransfer);
    setHasFolders(folders > 0);
    onFiles(files);
  };
  return (
    // Dropping is an extra; the button does the same.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      data-small={isSmall || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        // Not when it only moves over what lies in here.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      <FileButton
        multiple={multiple}
        onChange={(chosen: File | File[] | null) => onFiles(chosen === null ? [] : [chosen].flat())}
        inputProps={{
          'aria-label': label,
          // Otherwise a file that was left out could not be chosen again.
          onClick: (event) => {
            event.currentTarget.value = '';
          },
        }}
      >
        {(props) => (
          <Button ref={buttonRef} variant="default" data-autofocus {...props}>
            {label}
          </Button>
        )}
      </FileButton>
      <p className={`${classes.hint} ${classes.dropHint}`}>{t('files.upload.drop', { count: multiple ? 2 : 1 })}</p>
      {children && <p className={classes.hint}>{children}</p>}
      {hasFolders && (
        <p className={classes.problem} role="alert">
          {t('files.upload.noFolders')}
        </p>
      )}
    </div>
  );
}
