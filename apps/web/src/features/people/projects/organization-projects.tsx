import type { Project } from '@heterosis/contracts/people/projects';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { useOrganizationRights } from '../organizations/index.ts';
import { projectsQuery } from './projects.api.ts';

const rowId = (project: Project): string => project.id;

/** Those projects of an organization that I may open. */
export function OrganizationProjects({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const list = useQuery(projectsQuery());
  const { data: projects } = list;
  const mayCreate = useOrganizationRights(organizationId)('create_projects');
  const columns: DataColumn<Project>[] = [
    { id: 'name', header: t('column.name'), value: (project) => project.name },
    { id: 'crop', header: t('column.crop'), value: (project) => project.crop?.name, width: 160 },
    { id: 'role', header: t('column.yourRole'), value: (project) => t(`role.${project.role}`), width: 110 },
    {
      id: 'last_active_at',
      header: t('column.lastActivity'),
      value: (project) => project.last_active_at,
      cell: (project) => <RelativeTime date={project.last_active_at} />,
      width: 140,
      narrow: true,
    },
  ];
  const rows = projects?.filter((project) => project.organization?.id === organizationId);
  return (
    <Section title={t('nav.projects')}>
      <DataTable
        id="organization-projects"
        label={t('nav.projects')}
        columns={columns}
        {...rowsOf(list)}
        rows={rows}
        rowId={rowId}
        hasTools={(rows?.length ?? 0) > 8}
        rowLink={(project) => ({ to: '/projects/$projectId', params: { projectId: project.id } })}
        defaultSort={{ column: 'last_active_at', descending: true }}
        empty={
          <EmptyState title={t('project.emptyTitle')}>
            {t(mayCreate ? 'project.emptyText' : 'project.emptyTextMember')}
          </EmptyState>
        }
      />
    </Section>
  );
}
