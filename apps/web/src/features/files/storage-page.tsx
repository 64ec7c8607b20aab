import type { File, Folder } from '@heterosis/contracts/files';
import { Button, Menu, NativeSelect } from '@mantine/core';
import { IconFile, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NameText } from '../../components/name-text.tsx';
import { FileSize, NumberCell } from '../../components/number-cell.tsx';
import { type Crumb, Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useModal } from '../../lib/modal.ts';
import { isNotFound } from '../../lib/problem.ts';
import { BinLink } from '../bin/index.ts';
import { useMayWrite, useProjectCrumbs } from '../projects/index.ts';
import { DeleteFileDialog, DeleteFolderDialog } from './dialogs/delete-dialogs.tsx';
import { FileStateBadge } from './file-state.tsx';
import { filesQuery, folderQuery, foldersQuery } from './files.api.ts';
import classes from './storage-page.module.css';

type Row = { kind: 'folder'; folder: Folder } | { kind: 'file'; file: File };

/** Files and folders of one folder; without `folderId` the root. */
export function StoragePage({ projectId, folderId }: { projectId: string; folderId?: string }) {
  const { t } = useTranslation();
  const modal = useModal();
  const crumbs = useProjectCrumbs(projectId);
  const folder = useQuery({ ...folderQuery(projectId, folderId ?? ''), enabled: folderId !== undefined });
  const folders = useQuery(foldersQuery(projectId, folderId ?? null));
  const files = useQuery(filesQuery(projectId, { folderId: folderId ?? null }));
  const [type, setType] = useState('');
  const [leavingFile, setLeavingFile] = useState<File>();
  const [leavingFolder, setLeavingFolder] = useState<Folder>();
  const rows: Row[] | undefined =
    folders.data && files.data
      ? [
          ...(type === '' ? folders.data.map((one): Row => ({ kind: 'folder', folder: one })) : []),
          ...files.data
            .filter((one) => type === '' || (one.file_type ?? 'other') === type)
            .map((one): Row => ({ kind: 'file', file: one })),
        ]
      : undefined;
  const isEmpty = folders.data?.length === 0 && files.data?.length === 0;

  const root: Crumb = { label: t('nav.files'), link: { to: '/projects/$projectId/storage', params: { projectId } } };
  const path = (folder.data?.path ?? []).map(
    (one): Crumb => ({
      label: one.name,
      link: { to: '/projects/$projectId/storage/$folderId', params: { projectId, folderId: one.id } },
    }),
  );
  const mayWrite = useMayWrite(projectId);
  const upload = mayWrite && (
    <Button onClick={() => modal.open('upload-files', folderId)}>{t('files.upload.action')}</Button>
  );

  if (isNotFound(folder.error))
    return (
      <Page title={folder.data?.name ?? t('files.folder')} crumbs={[...crumbs, root]}>
        <ErrorNotice error={folder.error} />
      </Page>
    );

  const columns: DataColumn<Row>[] = [
    {
      id: 'name',
      header: t('column.name'),
      minWidth: 256,
      value: (row) => (row.kind === 'folder' ? row.folder.name : row.file.name),
      cell: (row) => (
        <span className={classes.name}>
          {row.kind === 'folder' ? (
            <IconFolder size={16} aria-label={t('files.folder')} />
          ) : (
            <IconFile size={16} aria-hidden="true" />
          )}
          <span>
            <NameText name={row.kind === 'folder' ? row.folder.name : row.file.name} />
          </span>
        </span>
      ),
    },
    {
      id: 'status',
      header: t('runs.stateHead'),
      value: (row) => (row.kind === 'folder' ? null : t(`files.status.${row.file.status}`)),
      cell: (row) => (row.kind === 'folder' ? null : <FileStateBadge file={row.file} />),
      width: 190,
      narrow: true,
    },
    {
      id: 'type',
      header: t('files.typeHead'),
      value: (row) => (row.kind === 'folder' ? t('files.folder') : t(`files.type.${row.file.file_type ?? 'other'}`)),
      width: 140,
    },
    {
      id: 'rows',
      header: t('files.individuals'),
      value: (row) => (row.kind === 'folder' ? null : row.file.row_count),
      cell: (row) => (row.kind === 'folder' ? null : <NumberCell value={row.file.row_count} kind="count" />),
      numeric: true,
      width: 110,
    },
    {
      id: 'columns',
      header: t('files.markersOrTraits'),
      value: (row) => (row.kind === 'folder' ? null : row.file.column_count),
      cell: (row) => (row.kind === 'folder' ? null : <NumberCell value={row.file.column_count} kind="count" />),
      numeric: true,
      width: 140,
    },
    {
      id: 'size',
      header: t('files.size'),
      value: (row) => (row.kind === 'folder' ? null : row.file.size_bytes),
      cell: (row) => (row.kind === 'folder' ? null : <FileSize bytes={row.file.size_bytes} />),
      numeric: true,
      width: 100,
    },
    {
      id: 'created_at',
      header: t('files.uploaded'),
      value: (row) => (row.kind === 'folder' ? row.folder.created_at : row.file.created_at),
      cell: (row) => <RelativeTime date={row.kind === 'folder' ? row.folder.created_at : row.file.created_at} />,
      width: 120,
    },
  ];

  return (
    <Page
      title={folder.data?.name ?? t('nav.files')}
      crumbs={
        folderId === undefined
          ? [...crumbs, { label: t('nav.files') }]
          : [...crumbs, root, ...path.slice(0, -1), { label: folder.data?.name ?? '…' }]
      }
      action={
        mayWrite && (
          <>
            <Button variant="default" onClick={() => modal.open('add-folder', folderId)}>
              {t('files.addFolder')}
            </Button>
            {upload}
          </>
        )
      }
    >
      {folder.error && <ErrorNotice error={folder.error} onRetry={() => void folder.refetch()} />}
      <DataTable
        id="files"
        label={t('nav.files')}
        columns={columns}
        rows={rows}
        rowId={(row) => (row.kind === 'folder' ? row.folder.id : row.file.id)}
        isLoading={rows === undefined}
        error={folders.error ?? files.error}
        onRetry={() => void Promise.all([folders.refetch(), files.refetch()])}
        inAddress
        filters={
          <NativeSelect
            size="xs"
            aria-label={t('files.typeHead')}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
            data={[
              { value: '', label: t('files.allTypes') },
              ...(['GENOTYPE', 'PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP', 'other'] as const).map((value) => ({
                value,
                label: t(`files.type.${value}`),
              })),
            ]}
          />
        }
        rowLink={(row) =>
          row.kind === 'folder'
            ? { to: '/projects/$projectId/storage/$folderId', params: { projectId, folderId: row.folder.id } }
            : { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: row.file.id } }
        }
        rowMenu={
          !mayWrite
            ? undefined
            : (row) =>
                row.kind === 'folder' ? (
                  <>
                    <Menu.Item onClick={() => modal.open('update-folder', row.folder.id)}>
                      {t('files.renameOrMove')}
                    </Menu.Item>
                    <Menu.Item color="red" onClick={() => setLeavingFolder(row.folder)}>
                      {t('action.delete')}
                    </Menu.Item>
                  </>
                ) : (
                  <>
                    <Menu.Item onClick={() => modal.open('update-file', row.file.id)}>
                      {t('files.renameOrMove')}
                    </Menu.Item>
                    <Menu.Item color="red" onClick={() => setLeavingFile(row.file)}>
                      {t('action.delete')}
                    </Menu.Item>
                  </>
                )
        }
        empty={
          isEmpty ? (
            <EmptyState
              title={folderId === undefined ? t('files.emptyTitle') : t('files.emptyFolderTitle')}
              action={upload}
            >
              {t('files.emptyText')}
            </EmptyState>
          ) : undefined
        }
      />
      {folderId === undefined && <BinLink />}
      {leavingFile && (
        <DeleteFileDialog projectId={projectId} file={leavingFile} onClose={() => setLeavingFile(undefined)} />
      )}
      {leavingFolder && (
        <DeleteFolderDialog projectId={projectId} folder={leavingFolder} onClose={() => setLeavingFolder(undefined)} />
      )}
    </Page>
  );
}
