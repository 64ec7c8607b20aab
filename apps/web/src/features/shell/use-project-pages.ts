import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { RUN_KINDS, type RunKind, type RunNeed, runKinds } from '@heterosis/contracts/work/run-kinds';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  IconBinaryTree,
  IconFolder,
  IconGavel,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconMap,
  IconPlant,
  IconShare,
  IconUsers,
} from '../../components/icons.tsx';
import { runListLink } from '../../lib/browser/run-kinds.ts';
import { overviewQuery, projectQuery } from '../people/projects/index.ts';
import { KINDS } from './kinds.ts';
import type { NavigationEntry, NavigationSection } from './navigation/navigation-links.tsx';

/** What a project lacks before a run of this kind can begin; undefined when nothing. */
function lacking(kind: RunKind, { newest, models }: ProjectOverview): RunNeed | undefined {
  const has: Record<RunNeed, boolean> = {
    genotype: newest.genotype_id !== null,
    phenotype: newest.phenotype_id !== null,
    model: models > 0,
  };
  return RUN_KINDS[kind].needs.find((need) => !has[need]);
}

/** The pages of a project, with how much each holds; none of one that is not found. */
export function useProjectPages(projectId: string): NavigationSection[] {
  const { t } = useTranslation();
  const { data: project, isError } = useQuery(projectQuery(projectId));
  const { data: overview } = useQuery({ ...overviewQuery(projectId), enabled: project !== undefined });
  const fileCount = overview && Object.values(overview.files).reduce((sum, count) => sum + count, 0);
  const runs = (section: 'analysis' | 'breeding') =>
    runKinds
      .filter((kind) => RUN_KINDS[kind].section === section)
      .map((kind): NavigationEntry => {
        const { path } = RUN_KINDS[kind];
        // What is there can be looked at, whatever has been deleted since.
        const lacks = overview && overview[path] === 0 ? lacking(kind, overview) : undefined;
        return {
          to: runListLink(kind, projectId).to,
          label: t(`nav.${path}`),
          icon: KINDS[kind].icon,
          count: overview?.[path],
          needs: lacks === undefined ? undefined : t(`nav.needs.${lacks}`),
        };
      });
  if (isError && !project) return [];
  const members: NavigationEntry = { to: '/projects/$projectId/members', label: t('nav.members'), icon: IconUsers };
  const links: NavigationEntry = {
    to: '/projects/$projectId/shareLinks',
    label: t('nav.shareLinks'),
    icon: IconShare,
  };
  const audit: NavigationEntry = { to: '/projects/$projectId/audit', label: t('nav.audit'), icon: IconHistory };
  return [
    {
      entries: [
        { to: '/projects/$projectId', label: t('nav.overview'), icon: IconLayoutDashboard, exact: true },
        ...(project?.role === 'GUEST' ? [] : [members, links]),
        ...(project?.rights.includes('see_audit') ? [audit] : []),
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
        { to: '/projects/$projectId/trials', label: t('nav.trials'), icon: IconMap },
        { to: '/projects/$projectId/germplasm', label: t('nav.germplasm'), icon: IconPlant },
        { to: '/projects/$projectId/lists', label: t('nav.lists'), icon: IconListCheck },
        { to: '/projects/$projectId/pedigrees', label: t('nav.pedigree'), icon: IconBinaryTree },
      ],
    },
    { title: t('nav.analysis'), entries: runs('analysis') },
    {
      title: t('nav.breeding'),
      entries: [
        { to: '/projects/$projectId/decisions', label: t('nav.decisions'), icon: IconGavel },
        ...runs('breeding'),
      ],
    },
  ];
}
