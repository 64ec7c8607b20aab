import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { InviteButton, People } from '../members/index.ts';
import { projectQuery } from './projects.api.ts';
import { useProjectCrumbs } from './use-project-crumbs.ts';
import { useProjectStanding } from './use-project-standing.ts';

/** The people of a project. */
export function ProjectMembersPage({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const { data: project } = useQuery(projectQuery(projectId));
  const crumbs = useProjectCrumbs(projectId);
  const standing = useProjectStanding(project);
  return (
    <Page
      title={t('nav.members')}
      crumbs={[...crumbs, { label: t('nav.members') }]}
      action={<InviteButton standing={standing} onInvite={() => modal.open('invitation', projectId)} />}
    >
      {project && standing ? (
        <People
          place={{ kind: 'project', id: projectId }}
          name={project.name}
          standing={standing}
          onLeft={() => void navigate({ to: '/projects', replace: true })}
        />
      ) : (
        <SkeletonLines />
      )}
    </Page>
  );
}
