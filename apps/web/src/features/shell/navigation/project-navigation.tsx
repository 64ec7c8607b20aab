import { useTranslation } from 'react-i18next';
import { PRODUCT_VERSION } from '../../../lib/browser/product-version.ts';
import { Footer } from '../footer.tsx';
import { useProjectPages } from '../use-project-pages.ts';
import { NavigationLinks, NavigationOut } from './navigation-links.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import classes from './side-navigation.module.css';

/** The pages of a project, with how much each holds. */
export function ProjectNavigation({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const pages = useProjectPages(projectId);
  if (pages.length === 0) return <NavigationOut label={t('nav.project')} />;
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
