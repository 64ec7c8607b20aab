import { createFileRoute } from '@tanstack/react-router';
import { DeletedOrganizations } from '../../../features/data/bin/deleted-places.tsx';
import { ProjectsPage } from '../../../features/people/projects/projects-page.tsx';

export const Route = createFileRoute('/_app/projects/')({ component: ProjectsPageRoute });

function ProjectsPageRoute() {
  return (
    <ProjectsPage>
      <DeletedOrganizations />
    </ProjectsPage>
  );
}
