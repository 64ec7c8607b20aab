import type { File, FileType } from '@heterosis/contracts/files';
import { Button, Input, Skeleton } from '@mantine/core';
import { IconArrowLeft, IconFile, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/icon-button.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import { asProblem } from '../../lib/problem.ts';
import classes from './file-picker.module.css';
import { filesQuery, folderQuery, foldersQuery } from './files.api.ts';

interface FilePickerProps {
  projectId: string;
  types?: readonly FileType[];
  startFolderId?: string | null;
  onSelect: (file: File) => void;
  onClose: () => void;
  /** SPEC §2: the picker closes itself when a load fails; the caller shows why. */
  onFailure: (reason: string) => void;
}

/** SPEC §2 "File picker": subfolders first, then files, one can be highlighted. */
export function FilePicker({ projectId, types, startFolderId = null, onSelect, onClose, onFailure }: FilePickerProps) {
  const { t } = useTranslation();
  const [folderId, setFolderId] = useState<string | null>(startFolderId);
  const [chosen, setChosen] = useState<File>();
  const current = useQuery({ ...folderQuery(projectId, folderId ?? ''), enabled: folderId !== null });
  const folders = useQuery(foldersQuery(projectId, folderId));
  const files = useQuery(filesQuery(projectId, { folderId, ...(types ? { types } : {}) }));
  const failure = current.error ?? folders.error ?? files.error;

  useEffect(() => {
    if (failure) onFailure(asProblem(failure).detail);
  }, [failure, onFailure]);

  const enter = (next: string | null): void => {
    setFolderId(next);
    setChosen(undefined);
  };
  const isEmpty = folders.data?.length === 0 && files.data?.length === 0;

  return (
    <ModalFrame title={t('files.picker.title')} onClose={onClose} size="24rem" isNested>
      <div className={classes.head}>
        {folderId !== null && (
          <IconButton label={t('files.picker.back')} onClick={() => enter(current.data?.folder_id ?? null)}>
            <IconArrowLeft size={18} />
          </IconButton>
        )}
        <span>{folderId === null ? t('files.root') : (current.data?.name ?? '…')}</span>
      </div>
      <div className={classes.list} role="group" aria-label={t('files.picker.title')}>
        {folders.data?.map((one) => (
          <button key={one.id} type="button" className={classes.entry} onClick={() => enter(one.id)}>
            <IconFolder size={18} aria-hidden="true" />
            <span className={classes.entryName}>{one.name}</span>
          </button>
        ))}
        {files.data?.map((one) => (
          <button
            key={one.id}
            type="button"
            className={classes.entry}
            aria-pressed={chosen?.id === one.id}
            disabled={!isUsable(one)}
            onClick={() => setChosen(one)}
            onDoubleClick={() => onSelect(one)}
          >
            <IconFile size={18} aria-hidden="true" />
            <span className={classes.entryName} title={one.name}>
              {one.name}
            </span>
            {!isUsable(one) && <span className={classes.entryNote}>{t(`files.status.${one.status}`)}</span>}
          </button>
        ))}
        {(folders.isPending || files.isPending) && <Skeleton height={28} mt={4} />}
        {isEmpty && <p className={classes.empty}>{types ? t('files.picker.emptyOfType') : t('files.picker.empty')}</p>}
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button disabled={!chosen} onClick={() => chosen && onSelect(chosen)}>
          {t('action.select')}
        </Button>
      </div>
    </ModalFrame>
  );
}

/** A form field that shows the chosen file and opens the picker. */
export function FileField(props: {
  label: string;
  projectId: string;
  types: readonly FileType[];
  value: { id: string; name: string } | undefined;
  onChange: (file: File) => void;
  /** Said as long as nothing is chosen. */
  emptyText?: string | undefined;
  error?: string | undefined;
}) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<string>();
  const id = useId();
  return (
    <Input.Wrapper label={props.label} labelElement="div" labelProps={{ id }} error={props.error ?? failure}>
      <Button
        variant="default"
        fullWidth
        justify="space-between"
        aria-describedby={id}
        fw={props.value ? 500 : 400}
        rightSection={<IconFile size={16} aria-hidden="true" />}
        onClick={() => {
          setFailure(undefined);
          setOpen(true);
        }}
      >
        {props.value?.name ?? props.emptyText ?? t('files.picker.choose')}
      </Button>
      {isOpen && (
        <FilePicker
          projectId={props.projectId}
          types={props.types}
          onClose={() => setOpen(false)}
          onFailure={(reason) => {
            setFailure(reason);
            setOpen(false);
          }}
          onSelect={(file) => {
            props.onChange(file);
            setOpen(false);
          }}
        />
      )}
    </Input.Wrapper>
  );
}

function isUsable(file: File): boolean {
  return file.status === 'READY' || file.status === 'READY_WITH_WARNINGS';
}
