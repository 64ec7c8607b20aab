import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Crumb } from '../../../components/page/page.tsx';
import { projectQuery } from './projects.api.ts';

/** `Projects / Maize drops`, to which a page adds its own. */
export function useProjectCrumbs(projectId: string): Crumb[] {
  const { t } = useTranslation();
  const { data: project } = useQuery(projectQuery(projectId));
  return [
    { label: t('nav.projects'), link: { to: '/projects' } },
    { label: project?.name ?? '…', link: { to: '/projects/$projectId', params: { projectId } } },
  ];
}
