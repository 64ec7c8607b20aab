import { fileType } from '@heterosis/contracts/data/files';
import type { FolderDetail } from '@heterosis/contracts/data/folders';
import { Button, Menu, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Crumb, Page } from '../../../components/page/page.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { isNotFound } from '../../../lib/api/problem.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { useMayWrite, useProjectCrumbs, useProjectRights } from '../../people/projects/index.ts';
import { BinLink } from '../bin/index.ts';
import { BulkActions } from './bulk/bulk-actions.tsx';
import { DeleteFileDialog, DeleteFolderDialog } from './dialogs/delete-dialogs.tsx';
import { filesQuery, folderQuery, foldersQuery } from './files.api.ts';
import { type StorageRow, storageColumns, storageRows, thingOf } from './storage-columns.tsx';

/** Files and folders of one folder; without `folderId` the root. */
export function StoragePage({ projectId, folderId }: { projectId: string; folderId?: string }) {
  const { t } = useTranslation();
  const modal = useModal();
  const folder = useQuery({ ...folderQuery(projectId, folderId ?? ''), enabled: folderId !== undefined });
  const crumbs = useStorageCrumbs(projectId, folderId, folder.data);
  const mayWrite = useMayWrite(projectId);
  const upload = mayWrite && (
    <Button onClick={() => modal.open('upload-files', folderId)}>{t('files.upload.action')}</Button>
  );

  if (isNotFound(folder.error))
    return (
      <Page title={folder.data?.name ?? t('kind.folder')} crumbs={crumbs.slice(0, -1)}>
        <ErrorNotice error={folder.error} />
      </Page>
    );

  return (
    <Page
      title={folder.data?.name ?? t('nav.files')}
      crumbs={crumbs}
      action={
        mayWrite && (
          <>
            <Button variant="default" onClick={() => modal.open('add-folder', folderId)}>
              {t('files.addFolder')}
            </Button>
            {upload}
            <Menu>
              <Menu.Target>
                <IconButton label={t('word.moreActions')} size="lg" variant="default">
                  <IconDots size={18} />
                </IconButton>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => modal.open('brapi-import')}>{t('files.brapi.menu')}</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        )
      }
    >
      {folder.error && <ErrorNotice error={folder.error} onRetry={() => void folder.refetch()} />}
      <StorageTable
        projectId={projectId}
        folderId={folderId}
        empty={
          <EmptyState title={folderId === undefined ? t('files.emptyTitle') : t('files.emptyFolderTitle')}>
            {t('files.emptyText')}
          </EmptyState>
        }
      />
      {folderId === undefined && <BinLink />}
    </Page>
  );
}

/** The way to the folder: the project, the root of its files, the folders in between, the folder itself. */
function useStorageCrumbs(projectId: string, folderId: string | undefined, folder: FolderDetail | undefined): Crumb[] {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  if (folderId === undefined) return [...crumbs, { label: t('nav.files') }];
  const between = (folder?.path ?? []).slice(0, -1).map(
    (one): Crumb => ({
      label: one.name,
      link: { to: '/projects/$projectId/storage/$folderId', params: { projectId, folderId: one.id } },
    }),
  );
  const root: Crumb = { label: t('nav.files'), link: { to: '/projects/$projectId/storage', params: { projectId } } };
  return [...crumbs, root, ...between, { label: folder?.name ?? '…' }];
}

/** Types to filter by, and files of which none is known. */
const TYPES = [...fileType.options, 'other'] as const;

function StorageTable(props: {
  projectId: string;
  folderId: string | undefined;
  /** When the folder holds nothing at all. */
  empty: React.ReactNode;
}) {
  const { projectId, folderId } = props;
  const { mayChange, mayDelete } = useProjectRights(projectId);
  const { t } = useTranslation();
  const folders = useQuery(foldersQuery(projectId, folderId ?? null));
  const files = useQuery(filesQuery(projectId, { folderId: folderId ?? null }));
  const [type, setType] = useState('');
  const [leaving, setLeaving] = useState<StorageRow>();
  const rows = folders.data && files.data && storageRows(folders.data, files.data, type);
  const isEmpty = folders.data?.length === 0 && files.data?.length === 0;
  const onClose = (): void => setLeaving(undefined);
  return (
    <>
      <DataTable
        id="files"
        label={t('nav.files')}
        columns={storageColumns(t)}
        rows={rows}
        rowId={(row) => thingOf(row).id}
        isLoading={rows === undefined}
        error={folders.error ?? files.error}
        onRetry={() => void Promise.all([folders.refetch(), files.refetch()])}
        inAddress
        savedFilters={{ values: { type }, apply: (values) => setType(TYPES.find((one) => one === values.type) ?? '') }}
        filters={
          <NativeSelect
            size="xs"
            aria-label={t('files.typeHead')}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
            data={[
              { value: '', label: t('files.allTypes') },
              ...TYPES.map((value) => ({ value, label: t(`files.type.${value}`) })),
            ]}
          />
        }
        rowLink={(row) =>
          row.kind === 'folder'
            ? { to: '/projects/$projectId/storage/$folderId', params: { projectId, folderId: row.folder.id } }
            : { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: row.file.id } }
        }
        rowMenu={(row) => {
          const entry = thingOf(row);
          if (!mayChange(entry) && !mayDelete(entry)) return null;
          const onDelete = mayDelete(entry) ? () => setLeaving(row) : undefined;
          return <StorageMenu row={row} mayChange={mayChange(entry)} onDelete={onDelete} />;
        }}
        bulkActions={(chosen, clear) => <BulkActions projectId={projectId} chosen={chosen} clear={clear} />}
        empty={isEmpty ? props.empty : undefined}
      />
      {leaving?.kind === 'file' && <DeleteFileDialog projectId={projectId} file={leaving.file} onClose={onClose} />}
      {leaving?.kind === 'folder' && (
        <DeleteFolderDialog projectId={projectId} folder={leaving.folder} onClose={onClose} />
      )}
    </>
  );
}

interface StorageMenuProps {
  row: StorageRow;
  mayChange: boolean;
  onDelete: (() => void) | undefined;
}

function StorageMenu({ row, mayChange, onDelete }: StorageMenuProps) {
  const { t } = useTranslation();
  const modal = useModal();
  const update = row.kind === 'folder' ? 'update-folder' : 'update-file';
  return (
    <>
      {mayChange && (
        <Menu.Item onClick={() => modal.open(update, thingOf(row).id)}>{t('files.renameOrMove')}</Menu.Item>
      )}
      {onDelete && (
        <Menu.Item className="hx-danger" onClick={onDelete}>
          {t('action.delete')}
        </Menu.Item>
      )}
    </>
  );
}
