import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/run-kinds';
import {
  type Icon,
  IconArrowsCross,
  IconBinaryTree,
  IconChartDots3,
  IconChartHistogram,
  IconChartScatter,
  IconFolder,
  IconLayoutDashboard,
  IconPlant,
  IconPlant2,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { runListLink } from '../../lib/run-kinds.ts';
import { overviewQuery, projectQuery } from '../projects/index.ts';
import { Footer } from './footer.tsx';
import { type NavigationEntry, NavigationLinks } from './navigation-links.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import classes from './side-navigation.module.css';
import { PRODUCT_VERSION } from './support.ts';

const KIND_ICONS: Record<RunKind, Icon> = {
  model: IconChartDots3,
  prediction: IconChartHistogram,
  gwas: IconChartScatter,
  crossing_plan: IconArrowsCross,
  crossing_simulation: IconPlant2,
};

/** The pages of a project, with how much each holds. */
export function ProjectNavigation({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const { data: project, isError } = useQuery(projectQuery(projectId));
  const { data: overview } = useQuery({ ...overviewQuery(projectId), enabled: project !== undefined });
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
  const fileCount = overview && Object.values(overview.files).reduce((sum, count) => sum + count, 0);
  const runs = (section: 'analysis' | 'breeding') =>
    runKinds
      .filter((kind) => RUN_KINDS[kind].section === section)
      .map((kind): NavigationEntry => {
        const { path } = RUN_KINDS[kind];
        return {
          to: runListLink(kind, projectId).to,
          label: t(`nav.${path}`),
          icon: KIND_ICONS[kind],
          count: overview?.[path],
        };
      });
  return (
    <>
      <ProjectSwitcher projectId={projectId} />
      <NavigationLinks
        label={t('nav.project')}
        params={{ projectId }}
        sections={[
          {
            entries: [
              { to: '/projects/$projectId', label: t('nav.overview'), icon: IconLayoutDashboard, exact: true },
              { to: '/projects/$projectId/members', label: t('nav.members'), icon: IconUsers },
            ],
          },
          {
            title: t('nav.data'),
            entries: [
              {
                to: '/projects/$projectId/storage',
                label: t('nav.files'),
                icon: IconFolder,
                count: fileCount,
                also: `/projects/${projectId}/files/`,
              },
              { to: '/projects/$projectId/germplasm', label: t('nav.germplasm'), icon: IconPlant },
              { to: '/projects/$projectId/pedigrees', label: t('nav.pedigree'), icon: IconBinaryTree },
            ],
          },
          { title: t('nav.analysis'), entries: runs('analysis') },
          { title: t('nav.breeding'), entries: runs('breeding') },
        ]}
      />
      <div className={classes.foot}>
        <Footer version={PRODUCT_VERSION} />
      </div>
    </>
  );
}
