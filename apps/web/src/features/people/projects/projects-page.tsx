import type { Project } from '@heterosis/contracts/people/projects';
import { Button, Menu, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots, IconPencil, IconTrash } from '../../../components/icons.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { BesideLeftOff, homeQuery, ProjectCards } from '../home/index.ts';
import { organizationsQuery } from '../organizations/index.ts';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { projectsQuery } from './projects.api.ts';

const rowId = (project: Project): string => project.id;

/** Where one comes in: projects as cards with their last results, or all of them as a table. `children` come after. */
export function ProjectsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const modal = useModal();
  const list = useQuery(projectsQuery());
  const { data: organizations } = useQuery(organizationsQuery());
  const [deleting, setDeleting] = useState<Project>();
  const [shownAs, setShownAs] = useShownAs();
  const mayCreate = organizations?.some(({ rights }) => rights.includes('create_projects')) ?? false;
  const hasSeveral = (organizations?.length ?? 0) > 1;

  const columns: DataColumn<Project>[] = [
    { id: 'name', header: t('column.name'), value: (project) => project.name },
    { id: 'crop', header: t('column.crop'), value: (project) => project.crop?.name, width: 160, narrow: true },
    {
      id: 'organization',
      header: t('nav.organization'),
      value: (project) => project.organization?.name,
      width: 220,
    },
    {
      id: 'role',
      header: t('column.yourRole'),
      value: (project) => t(`role.${project.role}`),
      width: 110,
    },
    {
      id: 'last_active_at',
      header: t('column.lastActivity'),
      value: (project) => project.last_active_at,
      cell: (project) => <RelativeTime date={project.last_active_at} />,
      width: 130,
    },
    {
      id: 'created_at',
      header: t('column.created'),
      value: (project) => project.created_at,
      cell: (project) => <RelativeTime date={project.created_at} />,
      width: 130,
    },
  ];
  const hasNone = organizations?.length === 0;
  const newProject = mayCreate && <Button onClick={() => modal.open('add-project')}>{t('project.create')}</Button>;

  const menu = (project: Project) => (
    <>
      {!project.rights.includes('edit') && <Menu.Label>{t('project.editedByManagers')}</Menu.Label>}
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        disabled={!project.rights.includes('edit')}
        onClick={() => modal.open('update-project', project.id)}
      >
        {t('action.edit')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTrash size={16} />}
        className="hx-danger"
        disabled={!project.rights.includes('delete')}
        onClick={() => setDeleting(project)}
      >
        {t('action.delete')}
      </Menu.Item>
    </>
  );
  const table = (
    <DataTable
      id="projects"
      label={t('nav.projects')}
      inAddress
      columns={columns}
      {...rowsOf(list)}
      rowId={rowId}
      rowLink={(project) => ({ to: '/projects/$projectId', params: { projectId: project.id } })}
      rowMenu={menu}
      {...(hasSeveral
        ? {
            groupings: [
              {
                id: 'organization',
                label: t('nav.organization'),
                key: (project: Project) => project.organization?.id ?? '',
                title: (project: Project) => project.organization?.name ?? t('project.noOrganization'),
              },
            ],
          }
        : {})}
      defaultSort={{ column: 'created_at', descending: true }}
      empty={
        hasNone ? (
          <EmptyState
            title={t('project.emptyTitle')}
            action={<Button onClick={() => modal.open('create-org')}>{t('organization.create')}</Button>}
          >
            {t('project.emptyTextNoOrganization')}
          </EmptyState>
        ) : (
          <EmptyState title={t('project.emptyTitle')}>
            {mayCreate ? t('project.emptyText') : t('project.emptyTextMember')}
          </EmptyState>
        )
      }
    />
  );
  const isEmpty = list.data?.length === 0;

  return (
    <Page
      title={t('nav.projects')}
      action={
        <>
          {!isEmpty && <ShownAs value={shownAs} onChange={setShownAs} />}
          {newProject}
        </>
      }
    >
      {list.isPending ? (
        <SkeletonLines lines={8} />
      ) : isEmpty ? (
        table
      ) : (
        <BesideLeftOff isBelow={shownAs === 'cards' && (list.data?.length ?? 0) <= FEW}>
          {shownAs === 'table' ? (
            table
          ) : (
            <Cards namesOrganization={hasSeveral} menu={menu} onAll={() => setShownAs('table')} />
          )}
        </BesideLeftOff>
      )}
      {children}
      {deleting && <DeleteProjectDialog project={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

/** Cards that leave most of a page empty. */
const FEW = 3;

type Shown = 'cards' | 'table';

/** Remembered in this browser. */
function useShownAs(): [Shown, (shown: Shown) => void] {
  const key = 'heterosis.projects-as';
  const [shown, setShown] = useState<Shown>(() => (localStorage.getItem(key) === 'table' ? 'table' : 'cards'));
  return [
    shown,
    (next) => {
      localStorage.setItem(key, next);
      setShown(next);
    },
  ];
}

function ShownAs({ value, onChange }: { value: Shown; onChange: (shown: Shown) => void }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('leftOff.shownAs')}
      value={value}
      onChange={(next) => onChange(next as Shown)}
      data={(['cards', 'table'] as const).map((one) => ({ value: one, label: t(`leftOff.${one}`) }))}
    />
  );
}

function Cards(props: {
  namesOrganization: boolean;
  menu: (project: Project) => ReactNode;
  /** Shows the table, which has all projects. */
  onAll: () => void;
}) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(homeQuery());
  if (!data) return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonLines lines={6} />;
  return (
    <>
      <ProjectCards
        projects={data.projects}
        namesOrganization={props.namesOrganization}
        menu={(project) => (
          <Menu>
            <Menu.Target>
              <IconButton label={t('table.rowMenu', { name: project.name })}>
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>{props.menu(project)}</Menu.Dropdown>
          </Menu>
        )}
      />
      {data.projects_total > data.projects.length && (
        <Button variant="subtle" mt="sm" onClick={props.onAll}>
          {t('leftOff.allProjects', { count: data.projects_total })}
        </Button>
      )}
    </>
  );
}
