import { reportsApi } from '@heterosis/contracts/endpoints/work/reports';
import type { ProjectDetail, ProjectOverview } from '@heterosis/contracts/people/projects';
import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import { IconDots, IconPackage, IconPencil, IconTrash, IconTrashOff } from '../../../../components/icons.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Page } from '../../../../components/page/page.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { useModal } from '../../../../lib/browser/modal.ts';
import { useReport } from '../../../work/reports/index.ts';
import { FavouriteButton } from '../../home/index.ts';
import { DeleteProjectDialog } from '../delete-project-dialog.tsx';
import { overviewQuery, projectQuery } from '../projects.api.ts';
import { NextStepCard } from './next-step-card.tsx';
import { OverviewAttention } from './overview-attention.tsx';
import { OverviewData } from './overview-data.tsx';
import { OverviewResults } from './overview-results.tsx';
import classes from './project-overview-page.module.css';
import { FinishedRuns, RunningRuns } from './recent-runs.tsx';

const hasFiles = ({ files }: ProjectOverview): boolean => Object.values(files).some((count) => count > 0);
/** Nothing has run yet: the first steps say what is next. */
const isFirstVisit = ({ models, gwas }: ProjectOverview): boolean => models === 0 && gwas === 0;

/**
 * What needs attention, the natural next step, what is running, the results so far, the data, and what was last.
 * `children` are the first steps of a new project.
 */
export function ProjectOverviewPage({ projectId, children }: { projectId: string; children: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: overview, error, refetch } = useQuery(overviewQuery(projectId));
  const [isDeleting, setDeleting] = useState(false);
  const name = project?.name ?? '…';
  return (
    <Page
      title={name}
      crumbs={[{ label: t('nav.projects'), link: { to: '/projects' } }, { label: name }]}
      aside={project && <FavouriteButton item={{ projectId, kind: 'project', id: projectId, name }} />}
      action={project && <ProjectMenu project={project} onDelete={() => setDeleting(true)} />}
    >
      {project?.description && <p className={classes.description}>{project.description}</p>}
      {error && !overview && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!overview && !error && <SkeletonLines lines={6} />}
      {/* Not before the description above it, which would push it down. */}
      {overview && project && (
        <>
          <OverviewAttention projectId={projectId} overview={overview} />
          {children}
          {!isFirstVisit(overview) && <NextStepCard projectId={projectId} overview={overview} />}
          <RunningRuns projectId={projectId} runs={overview.recent} />
          {hasFiles(overview) && (
            <>
              <OverviewResults projectId={projectId} results={overview.results} />
              <OverviewData projectId={projectId} overview={overview} />
            </>
          )}
          <FinishedRuns projectId={projectId} runs={overview.recent} />
        </>
      )}
      {overview && project && (
        <FactsStrip
          facts={[
            {
              label: t('nav.organization'),
              value: project.organization ? (
                <Link
                  className="hx-link"
                  to="/organizations/$organizationId"
                  params={{ organizationId: project.organization.id }}
                >
                  {project.organization.name}
                </Link>
              ) : (
                '–'
              ),
            },
            { label: t('column.crop'), value: project.crop?.name ?? '–' },
            { label: t('column.yourRole'), value: t(`role.${project.role}`) },
            { label: t('column.created'), value: <RelativeTime date={project.created_at} /> },
          ]}
        />
      )}
      {project && isDeleting && (
        <DeleteProjectDialog
          project={project}
          onClose={(isDeleted) => {
            setDeleting(false);
            if (isDeleted) void navigate({ to: '/projects', replace: true });
          }}
        />
      )}
    </Page>
  );
}

function ProjectMenu({ project, onDelete }: { project: ProjectDetail; onDelete: () => void }) {
  const { t } = useTranslation();
  const modal = useModal();
  const report = useReport({
    name: project.name,
    print: (page) => call(reportsApi.reportProject, { project_id: project.id, query: { page } }),
  });
  const mayEdit = project.rights.includes('edit');
  return (
    <>
      {report.dialog}
      <Menu>
        <Menu.Target>
          <IconButton label={t('project.menu')} variant="default" size="lg">
            <IconDots size={18} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {!mayEdit && <Menu.Label>{t('project.editedByManagers')}</Menu.Label>}
          <Menu.Item
            leftSection={<IconPencil size={16} />}
            disabled={!mayEdit}
            onClick={() => modal.open('update-project', project.id)}
          >
            {t('project.edit')}
          </Menu.Item>
          {report.entry}
          <Menu.Item
            leftSection={<IconPackage size={16} />}
            disabled={!project.rights.includes('see_audit')}
            onClick={() => modal.open('data-package')}
          >
            {t('packages.menu')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrashOff size={16} />} onClick={() => modal.open('bin')}>
            {t('bin.menu')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            className="hx-danger"
            disabled={!project.rights.includes('delete')}
            onClick={onDelete}
          >
            {t('project.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
