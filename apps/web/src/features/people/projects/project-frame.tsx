import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { NoRight, useLacksRight } from '../../../components/page/no-right.tsx';
import { Page } from '../../../components/page/page.tsx';
import { PageNotFound } from '../../../components/page/page-not-found.tsx';
import { isNotFound } from '../../../lib/api/problem.ts';
import { UnpaidBanner } from '../billing/index.ts';
import { organizationsQuery } from '../organizations/index.ts';
import classes from './project-frame.module.css';
import { projectQuery } from './projects.api.ts';
import { useMayWrite } from './use-project-rights.ts';

/** Says where a guest is, and the ways on. */
function GuestBanner({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={classes.readOnly}>
      <span>{t('guest.banner')}</span>
      <Link className="hx-link" to="/projects/$projectId" params={{ projectId }} search={{ tour: '1' }}>
        {t('tour.start')}
      </Link>
      <Link className="hx-link" to="/">
        {t('guest.signIn')}
      </Link>
    </div>
  );
}

/** An unknown project, or one of others, is not found whatever page of it was asked for. */
export function ProjectFrame({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  const { data: organizations } = useQuery(organizationsQuery());
  const standing = organizations?.find(({ id }) => id === project?.organization?.id)?.role ?? null;
  const mayWrite = useMayWrite(projectId);
  const lacksRight = useLacksRight(project?.rights);
  // Also when it was there before: somebody removed from it loses its pages at once.
  if (isNotFound(error)) return <PageNotFound />;
  if (project || !error) {
    return (
      <>
        {project?.organization && (
          <UnpaidBanner organizationId={project.organization.id} state={project.billing_state} role={standing} />
        )}
        {project?.role === 'GUEST' && <GuestBanner projectId={projectId} />}
        {!mayWrite && project?.billing_state === 'active' && (
          <p role="status" className={classes.readOnly}>
            {t('project.readOnly')}
          </p>
        )}
        {lacksRight ? <NoRight /> : <Outlet />}
      </>
    );
  }
  return (
    <Page title={t('error.pageTitle')} width="text">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    </Page>
  );
}
