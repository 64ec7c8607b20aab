import type { SavedList } from '@heterosis/contracts/data/lists';
import { Button, CopyButton, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { downloadText } from '../../../lib/browser/download.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { isTable, usePastedText } from '../../../lib/browser/pasted-text.ts';
import { showUndoToast } from '../../../lib/browser/undo-toast.ts';
import { toCsv } from '../../../lib/format/csv.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { FavouriteButton, useVisit } from '../../people/home/index.ts';
import { projectQuery, useMayWrite } from '../../people/projects/index.ts';
import { KeepListDialog } from './keep-list-dialog.tsx';
import { listQuery, listsQuery, useListMutations } from './lists.api.ts';

/** The lists of a project, and the names of the one that is chosen. */
export function ListsPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { list: chosen } = useSearch({ strict: false }) as { list?: string };
  const project = useQuery(projectQuery(projectId));
  const lists = useQuery(listsQuery(projectId));
  const mayWrite = useMayWrite(projectId);
  const modal = useModal();
  const [isNew, setNew] = useState<SavedList['kind']>();
  const [pasted, setPasted] = useState('');
  // Names in one column; a table of several is one of lines, and becomes a file.
  usePastedText('page', mayWrite && isNew === undefined && modal.current === undefined, (text) => {
    if (isTable(text)) return false;
    setPasted(text);
    setNew('germplasm');
    return true;
  });
  const startNew = (kind: SavedList['kind']): void => {
    setPasted('');
    setNew(kind);
  };
  const choose = (id: string | undefined): void =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, list: id }), resetScroll: false });
  const columns: DataColumn<SavedList>[] = [
    { id: 'name', header: t('column.name'), value: (row) => row.name },
    { id: 'kind', header: t('word.kind'), value: (row) => t(`lists.kinds.${row.kind}`), width: 120, narrow: true },
    {
      id: 'size',
      header: t('lists.size'),
      value: (row) => row.size,
      cell: (row) => <NumberCell value={row.size} decimals={0} />,
      numeric: true,
      width: 110,
    },
    { id: 'by', header: t('lists.createdBy'), value: (row) => row.created_by ?? t('person.deleted'), width: 200 },
    {
      id: 'updated',
      header: t('lists.updated'),
      value: (row) => row.updated_at,
      cell: (row) => <RelativeTime date={row.updated_at} />,
      width: 150,
    },
  ];
  const action = mayWrite && (
    <Group gap="xs">
      <Button variant="default" onClick={() => startNew('markers')}>
        {t('lists.new.markers')}
      </Button>
      <Button onClick={() => startNew('germplasm')}>{t('lists.new.germplasm')}</Button>
    </Group>
  );
  return (
    <Page
      title={t('nav.lists')}
      crumbs={[
        { label: t('nav.projects'), link: { to: '/projects' } },
        { label: project.data?.name ?? '', link: { to: '/projects/$projectId', params: { projectId } } },
        { label: t('nav.lists') },
      ]}
      action={action}
    >
      <DataTable
        id="lists"
        label={t('nav.lists')}
        columns={columns}
        rows={lists.data}
        isLoading={lists.isLoading}
        error={lists.error}
        onRetry={() => void lists.refetch()}
        rowId={(row) => row.id}
        onOpen={(row) => choose(row.id)}
        empty={<EmptyState title={t('lists.empty')}>{t('lists.emptyText')}</EmptyState>}
      />
      {chosen !== undefined && (
        <ChosenList key={chosen} projectId={projectId} id={chosen} close={() => choose(undefined)} />
      )}
      {isNew && <KeepListDialog projectId={projectId} kind={isNew} pasted={pasted} close={() => setNew(undefined)} />}
    </Page>
  );
}

interface Member {
  place: number;
  name: string;
}

function ChosenList({ projectId, id, close }: { projectId: string; id: string; close: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(listQuery(projectId, id));
  const mayWrite = useMayWrite(projectId);
  const { create, update, remove } = useListMutations(projectId);
  const modal = useModal();
  const [isDeleting, setDeleting] = useState(false);
  useVisit({ projectId, kind: 'list', id });
  const list = query.data;
  if (query.error) return <ErrorNotice error={query.error} />;
  if (list === undefined) return null;
  const rows = list.members.map((name, k): Member => ({ place: k + 1, name }));
  const columns: DataColumn<Member>[] = [
    { id: 'name', header: t(`lists.member.${list.kind}`), value: (row) => row.name },
    { id: 'place', header: t('lists.place'), value: (row) => row.place, numeric: true, width: 100 },
  ];
  return (
    <Section
      title={list.name}
      note={list.description ?? undefined}
      action={
        <Group gap="xs">
          <FavouriteButton item={{ projectId, kind: 'list', id: list.id, name: list.name }} />
          <CopyButton value={list.members.join('\n')}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {t(copied ? 'word.copied' : 'lists.copy')}
              </Button>
            )}
          </CopyButton>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              downloadText(
                `${list.name}.csv`,
                toCsv(
                  [t(`lists.member.${list.kind}`)],
                  list.members.map((name) => [name]),
                ),
              )
            }
          >
            {t('action.downloadCsv')}
          </Button>
          {mayWrite && list.kind === 'germplasm' && (
            <Button size="xs" onClick={() => modal.open('create-decision', list.id, ['list'])}>
              {t('decisions.decide')}
            </Button>
          )}
          {mayWrite && (
            <Button size="xs" variant="default" onClick={() => setDeleting(true)}>
              {t('lists.delete')}
            </Button>
          )}
        </Group>
      }
    >
      <DataTable
        id="list-members"
        label={list.name}
        columns={columns}
        rows={rows}
        rowId={(row) => row.name}
        maxHeight="24rem"
        csvName={list.name}
        bulkActions={
          mayWrite
            ? (chosen, clear) => (
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={update.isPending}
                  onClick={() => update.mutate({ id, remove: chosen.map(({ name }) => name) }, { onSuccess: clear })}
                >
                  {t('lists.takeOff')}
                </Button>
              )
            : undefined
        }
      />
      {update.error && <ErrorNotice error={update.error} />}
      {isDeleting && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: list.name })}
          confirmLabel={t('lists.delete')}
          onConfirm={async () => {
            await remove.mutateAsync(id);
            const { name, kind, description, members } = list;
            showUndoToast(t, {
              text: t('word.wasDeleted', { name }),
              undone: t('word.wasRestored', { name }),
              undo: () => create.mutateAsync({ name, kind, description, members }),
            });
          }}
          onClose={(isDone) => {
            setDeleting(false);
            if (isDone) close();
          }}
        >
          {t('lists.deleteText', { count: list.size, formatted: formatCount(list.size) })}
        </ConfirmDialog>
      )}
    </Section>
  );
}
