import { RUN_KINDS, runKinds } from '@heterosis/contracts/run-kinds';
import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format.ts';
import { runListLink } from '../../lib/run-kinds.ts';
import { overviewQuery, projectQuery, projectsQuery } from '../projects/index.ts';
import { Footer } from './footer.tsx';
import classes from './side-navigation.module.css';
import { PRODUCT_VERSION } from './support.ts';

interface Entry {
  to: LinkProps['to'];
  label: string;
  count?: number | undefined;
  exact?: boolean;
  /** Start of further addresses that belong to the entry. */
  also?: string;
}

/** The pages of a project, with how much each holds. */
export function ProjectNavigation({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const { data: project, isError } = useQuery(projectQuery(projectId));
  const { data: overview } = useQuery({ ...overviewQuery(projectId), enabled: project !== undefined });
  const path = useLocation({ select: ({ pathname }) => pathname });
  const fileCount = overview && Object.values(overview.files).reduce((sum, count) => sum + count, 0);
  const entries: Entry[] = [
    { to: '/projects/$projectId', label: t('nav.overview'), exact: true },
    { to: '/projects/$projectId/pedigrees', label: t('nav.pedigree') },
    {
      to: '/projects/$projectId/storage',
      label: t('nav.files'),
      count: fileCount,
      also: `/projects/${projectId}/files/`,
    },
    ...runKinds.map((kind): Entry => {
      const { path: runs } = RUN_KINDS[kind];
      return { to: runListLink(kind, projectId).to, label: t(`nav.${runs}`), count: overview?.[runs] };
    }),
    { to: '/projects/$projectId/members', label: t('nav.members') },
  ];
  // Not one of mine: the page says so, and no link into it would lead anywhere.
  if (isError && !project) {
    return (
      <nav aria-label={t('nav.project')}>
        <Link to="/projects" className={classes.link}>
          {t('nav.projectList')}
        </Link>
      </nav>
    );
  }
  return (
    <>
      <ProjectSwitcher projectId={projectId} />
      <nav aria-label={t('nav.project')}>
        <ul className={classes.links}>
          {entries.map((entry) => (
            <li key={entry.label}>
              <Link
                {...({ to: entry.to, params: { projectId } } as LinkProps)}
                activeOptions={{ exact: entry.exact ?? false, includeSearch: false }}
                className={classes.link}
                {...(entry.also !== undefined && path.startsWith(entry.also) ? { 'aria-current': 'page' } : {})}
              >
                {entry.label}
                {entry.count ? <span className={classes.count}>{formatCount(entry.count)}</span> : null}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.foot}>
        <Footer version={PRODUCT_VERSION} />
      </div>
    </>
  );
}

/** More are hard to look over; the project list has all of them, with search. */
const SWITCHER_PROJECTS = 25;

/** Name and id of the project; a click offers the others. */
function ProjectSwitcher({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: projects } = useQuery(projectsQuery());
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <button type="button" className={classes.switcher}>
          <span className={classes.switcherName}>
            <span title={project?.name}>{project?.name ?? '…'}</span>
            <IconChevronDown size={16} aria-hidden="true" />
          </span>
          <span className={classes.id} title={projectId}>
            id {shortId(projectId)}
          </span>
          <span className="hx-visually-hidden">{t('nav.switchProject')}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item renderRoot={(props) => <Link to="/projects" {...props} />}>
          {t('nav.projectList')}
          {projects && projects.length > SWITCHER_PROJECTS && ` (${formatCount(projects.length)})`}
        </Menu.Item>
        <Menu.Divider />
        <div className={classes.projects}>
          {projects?.slice(0, SWITCHER_PROJECTS).map((one) => (
            <Menu.Item
              key={one.id}
              fw={one.id === projectId ? 600 : 400}
              renderRoot={(props) => (
                <Link to="/projects/$projectId" params={{ projectId: one.id }} activeProps={{}} {...props} />
              )}
            >
              {one.name}
            </Menu.Item>
          ))}
        </div>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Ids made on one day begin alike; the end tells them apart. */
function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
}
