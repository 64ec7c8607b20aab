import { useProjectId } from '../../../lib/session/current.ts';
import { OrganizationNavigation } from './organization-navigation.tsx';
import { ProjectNavigation } from './project-navigation.tsx';
import classes from './side-navigation.module.css';

/** Left of the page from 768 px; below, the same stands in the drawer. */
export function SideNavigation() {
  const projectId = useProjectId();
  return (
    <aside className={classes.aside} data-above-footer={projectId === undefined || undefined}>
      <NavigationContent />
    </aside>
  );
}

export function NavigationContent({ onNavigate }: { onNavigate?: () => void }) {
  const projectId = useProjectId();
  const content = projectId === undefined ? <OrganizationNavigation /> : <ProjectNavigation projectId={projectId} />;
  return (
    // Choosing a link closes the drawer.
    <div
      className={classes.content}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest('a')) onNavigate?.();
      }}
    >
      {content}
    </div>
  );
}
