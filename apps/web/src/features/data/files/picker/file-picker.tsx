import type { File, FileType } from '@heterosis/contracts/data/files';
import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import classes from '../../../../components/form/picker.module.css';
import { PickerButtons } from '../../../../components/form/picker-buttons.tsx';
import { IconArrowLeft, IconFile, IconFolder } from '../../../../components/icons.tsx';
import { asProblem } from '../../../../lib/api/problem.ts';
import { filesQuery, folderQuery, foldersQuery } from '../files.api.ts';

interface FilePickerProps {
  projectId: string;
  types?: readonly FileType[];
  startFolderId?: string | null;
  onSelect: (file: File) => void;
  onClose: () => void;
  /** The picker closes when loading fails; the caller shows why. */
  onFailure: (reason: string) => void;
}

/** Subfolders first, then files; one file can be selected. */
export function FilePicker({ projectId, types, startFolderId = null, onSelect, onClose, onFailure }: FilePickerProps) {
  const { t } = useTranslation();
  const [folderId, setFolderId] = useState<string | null>(startFolderId);
  const [chosen, setChosen] = useState<File>();
  const [search, setSearch] = useState('');
  const [focused, setFocused] = useState<string>();
  const folder = useQuery({ ...folderQuery(projectId, folderId ?? ''), enabled: folderId !== null });
  const folders = useQuery(foldersQuery(projectId, folderId));
  const files = useQuery(filesQuery(projectId, { folderId, ...(types ? { types } : {}) }));
  const failure = folder.error ?? folders.error ?? files.error;

  useEffect(() => {
    if (failure) onFailure(asProblem(failure).detail);
  }, [failure, onFailure]);

  const list = useRef<HTMLDivElement>(null);
  const hasEntered = useRef(false);
  const isLoaded = folders.data !== undefined && files.data !== undefined;
  const shownFolders = found(folders.data ?? [], search);
  const shownFiles = found(files.data ?? [], search);
  const total = (folders.data?.length ?? 0) + (files.data?.length ?? 0);
  const isEmpty = isLoaded && total === 0;
  const reachable = [...shownFolders, ...shownFiles.filter(isUsable)];
  const current = reachable.find(({ id }) => id === focused) ?? reachable[0];

  useEffect(() => {
    // The entry that was opened is gone: the keyboard goes on in what it held.
    if (isLoaded && hasEntered.current) (entriesOf(list.current)[0] ?? list.current)?.focus();
  }, [isLoaded, folderId]);

  const enter = (next: string | null): void => {
    hasEntered.current = true;
    setFolderId(next);
    setChosen(undefined);
    setSearch('');
  };
  const entryProps = (id: string) => ({
    type: 'button' as const,
    className: classes.entry,
    // One stop for the tab key; the arrow keys move within.
    tabIndex: current?.id === id ? 0 : -1,
    onFocus: () => setFocused(id),
  });

  return (
    <ModalFrame title={t('files.root')} onClose={onClose} size="24rem">
      <div className={classes.head}>
        {folderId !== null && (
          <IconButton label={t('files.picker.back')} onClick={() => enter(folder.data?.folder_id ?? null)}>
            <IconArrowLeft size={18} />
          </IconButton>
        )}
        <span className={classes.folderName} title={folder.data?.name}>
          {folderId === null ? t('files.picker.root') : (folder.data?.name ?? '…')}
        </span>
      </div>
      {(total > LONG_LIST || search !== '') && (
        <TextInput
          type="search"
          size="xs"
          mt="xs"
          aria-label={t('files.picker.search')}
          placeholder={t('files.picker.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div
        ref={list}
        className={classes.list}
        role="group"
        tabIndex={-1}
        aria-label={t('files.root')}
        onKeyDown={(event) => {
          if (moveFocus(entriesOf(list.current), event.key)) event.preventDefault();
        }}
      >
        {shownFolders.map((one) => (
          <button key={one.id} {...entryProps(one.id)} onClick={() => enter(one.id)}>
            <IconFolder size={18} aria-hidden="true" />
            <span className={classes.entryName} title={one.name}>
              {one.name}
            </span>
          </button>
        ))}
        {shownFiles.map((one) => (
          <button
            key={one.id}
            {...entryProps(one.id)}
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
        {total > 0 && shownFolders.length + shownFiles.length === 0 && (
          <p className={classes.empty}>{t('files.picker.nothingFound')}</p>
        )}
      </div>
      <PickerButtons chosen={chosen} onSelect={onSelect} onClose={onClose} />
    </ModalFrame>
  );
}

/** From here on looking through a list takes longer than typing a part of the name. */
const LONG_LIST = 12;

const byName = new Intl.Collator('en', { numeric: true });

/** With `search` in their name, in the order of people: 2 before 10. */
function found<Item extends { name: string }>(items: readonly Item[], search: string): Item[] {
  const part = search.trim().toLowerCase();
  return items.filter(({ name }) => name.toLowerCase().includes(part)).sort((a, b) => byName.compare(a.name, b.name));
}

function entriesOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
}

/** True when the key moves within the list. */
function moveFocus(entries: readonly HTMLElement[], key: string): boolean {
  const at = entries.findIndex((entry) => entry === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[key];
  if (next === undefined) return false;
  entries[Math.min(Math.max(next, 0), entries.length - 1)]?.focus();
  return true;
}

export function isUsable(file: File): boolean {
  return file.status === 'READY' || file.status === 'READY_WITH_WARNINGS';
}
