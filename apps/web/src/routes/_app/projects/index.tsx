import { createFileRoute } from '@tanstack/react-router';
import { DeletedOrganizations } from '../../../features/bin/deleted-places.tsx';
import { ProjectsPage } from '../../../features/projects/projects-page.tsx';

export const Route = createFileRoute('/_app/projects/')({ component: ProjectsPageRoute });

function ProjectsPageRoute() {
  return (
    <ProjectsPage>
      <DeletedOrganizations />
    </ProjectsPage>
  );
}
