import type { File } from '@heterosis/contracts/data/files';
import type { Folder } from '@heterosis/contracts/data/folders';
import type { TFunction } from 'i18next';
import { IconFile, IconFolder } from '../../../components/icons.tsx';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { NameText } from '../../../components/table/name-text.tsx';
import { FileSize } from '../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { contentOf } from './content-of.ts';
import { FileStateBadge } from './file-state.tsx';
import classes from './storage-page.module.css';

/** A line of the page of files. */
export type StorageRow = { kind: 'folder'; folder: Folder } | { kind: 'file'; file: File };

/** The file of a row; undefined for a folder, which has no state, size or content of its own. */
const fileOf = (row: StorageRow): File | undefined => (row.kind === 'file' ? row.file : undefined);

export const thingOf = (row: StorageRow): File | Folder => (row.kind === 'folder' ? row.folder : row.file);

/** Folders first; a filter by type leaves only files. */
export function storageRows(folders: readonly Folder[], files: readonly File[], type: string): StorageRow[] {
  const shownFolders = type === '' ? folders : [];
  const shownFiles = files.filter((file) => type === '' || (file.file_type ?? 'other') === type);
  return [
    ...shownFolders.map((folder): StorageRow => ({ kind: 'folder', folder })),
    ...shownFiles.map((file): StorageRow => ({ kind: 'file', file })),
  ];
}

export function storageColumns(t: TFunction): DataColumn<StorageRow>[] {
  return [
    {
      id: 'name',
      header: t('column.name'),
      minWidth: 256,
      value: (row) => thingOf(row).name,
      cell: (row) => (
        <span className={classes.name}>
          {row.kind === 'folder' ? (
            <IconFolder size={16} aria-label={t('kind.folder')} />
          ) : (
            <IconFile size={16} aria-hidden="true" />
          )}
          <span>
            <NameText name={thingOf(row).name} />
          </span>
        </span>
      ),
    },
    {
      id: 'status',
      header: t('column.state'),
      value: (row) => (row.kind === 'folder' ? null : t(`files.status.${row.file.status}`)),
      cell: (row) => (row.kind === 'folder' ? null : <FileStateBadge file={row.file} />),
      width: 190,
      narrow: true,
    },
    {
      id: 'type',
      header: t('files.typeHead'),
      value: (row) => (row.kind === 'folder' ? t('kind.folder') : t(`files.type.${row.file.file_type ?? 'other'}`)),
      width: 140,
    },
    {
      id: 'content',
      header: t('files.content'),
      value: (row) => fileOf(row)?.row_count,
      exported: [
        { header: t('files.rows'), value: (row) => fileOf(row)?.row_count },
        { header: t('table.columns'), value: (row) => fileOf(row)?.column_count },
      ],
      cell: (row) => (row.kind === 'folder' ? null : <span className="hx-tabular">{contentOf(row.file, t)}</span>),
      startsDescending: true,
      width: 240,
    },
    {
      id: 'size',
      header: t('files.size'),
      value: (row) => fileOf(row)?.size_bytes,
      cell: (row) => (row.kind === 'folder' ? null : <FileSize bytes={row.file.size_bytes} />),
      numeric: true,
      width: 100,
    },
    {
      id: 'created_at',
      header: t('files.uploaded'),
      value: (row) => thingOf(row).created_at,
      cell: (row) => <RelativeTime date={thingOf(row).created_at} />,
      width: 120,
    },
  ];
}
