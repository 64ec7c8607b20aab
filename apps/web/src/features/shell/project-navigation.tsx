import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { projectQuery } from '../projects/index.ts';
import { Footer } from './footer.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import classes from './side-navigation.module.css';
import { PRODUCT_VERSION } from './support.ts';
import { useProjectPages } from './use-project-pages.ts';

/** The pages of a project, with how much each holds. */
export function ProjectNavigation({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const { data: project, isError } = useQuery(projectQuery(projectId));
  const pages = useProjectPages(projectId);
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
      <NavigationLinks label={t('nav.project')} params={{ projectId }} sections={pages} />
      <div className={classes.foot}>
        <Footer version={PRODUCT_VERSION} />
      </div>
    </>
  );
}
