import { fileType } from '@heterosis/contracts/files';
import type { ProjectDetail, ProjectOverview } from '@heterosis/contracts/projects';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/run-kinds';
import { Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash, IconTrashOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../lib/format.ts';
import { useModal } from '../../lib/modal.ts';
import { runListLink } from '../../lib/run-kinds.ts';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { NextStepCard } from './next-step-card.tsx';
import classes from './project-overview-page.module.css';
import { overviewQuery, projectQuery } from './projects.api.ts';
import { FinishedRuns, RunningRuns } from './recent-runs.tsx';
import { useMayDeleteProject } from './use-may-delete-project.ts';

/** What is here, what is running, what finished lately, and the natural next step. */
export function ProjectOverviewPage({ projectId }: { projectId: string }) {
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
      action={project && <ProjectMenu project={project} onDelete={() => setDeleting(true)} />}
    >
      {project && (
        <FactsStrip
          facts={[
            {
              label: t('column.organization'),
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
      {project?.description && <p className={classes.description}>{project.description}</p>}
      {error && !overview && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!overview && !error && <SkeletonLines lines={6} />}
      {overview && (
        <>
          <NextStepCard projectId={projectId} overview={overview} />
          <RunningRuns projectId={projectId} runs={overview.recent} />
          <Contents projectId={projectId} overview={overview} />
          <FinishedRuns projectId={projectId} runs={overview.recent} />
        </>
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
  const isMember = project.role === 'MEMBER';
  const mayDelete = useMayDeleteProject()(project);
  return (
    <Menu>
      <Menu.Target>
        <IconButton label={t('project.menu')} variant="default" size="lg">
          <IconDots size={18} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {isMember && <Menu.Label>{t('project.editedByManagers')}</Menu.Label>}
        <Menu.Item
          leftSection={<IconPencil size={16} />}
          disabled={isMember}
          onClick={() => modal.open('update-project', project.id)}
        >
          {t('project.edit')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrashOff size={16} />} onClick={() => modal.open('bin')}>
          {t('bin.menu')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} color="red" disabled={!mayDelete} onClick={onDelete}>
          {t('project.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Figures as a plain table of links: kinds of files, what is in them, analyses. */
function Contents({ projectId, overview }: { projectId: string; overview: ProjectOverview }) {
  const { t } = useTranslation();
  const { files } = overview;
  return (
    <Section title={t('overview.contents')}>
      <dl className={classes.figures}>
        {fileType.options.map((type) => (
          <Figure
            key={type}
            label={t(`overview.files.${type}`)}
            value={files[type.toLowerCase() as Lowercase<typeof type>]}
          />
        ))}
        <Figure label={t('overview.individuals')} value={overview.individuals} />
        <Figure label={t('overview.markers')} value={overview.markers} />
        <Figure label={t('overview.traits')} value={overview.traits.length} hint={overview.traits.join(', ')} />
      </dl>
      <p className={classes.links}>
        <Link className="hx-link" to="/projects/$projectId/storage" params={{ projectId }}>
          {t('nav.files')}
        </Link>
        {runKinds.map((kind) => {
          const { path } = RUN_KINDS[kind];
          return (
            <Link key={kind} className="hx-link" {...runListLink(kind, projectId)}>
              {t(`overview.runs.${path}`, { count: overview[path] })}
            </Link>
          );
        })}
      </p>
    </Section>
  );
}

function Figure({ label, value, hint }: { label: string; value: number; hint?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="hx-tabular">{formatCount(value)}</span>
        {hint && <span className={classes.hint}>{hint}</span>}
      </dd>
    </div>
  );
}
