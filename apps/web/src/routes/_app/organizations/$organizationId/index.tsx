import { createFileRoute } from '@tanstack/react-router';
import { DeletedProjects } from '../../../../features/data/bin/deleted-places.tsx';
import { OrganizationPage } from '../../../../features/people/organizations/organization-page.tsx';
import { OrganizationProjects } from '../../../../features/people/projects/organization-projects.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/')({ component: OrganizationPageRoute });

function OrganizationPageRoute() {
  const { organizationId } = Route.useParams();
  return (
    <OrganizationPage
      organizationId={organizationId}
      projects={<OrganizationProjects organizationId={organizationId} />}
      deletedProjects={<DeletedProjects organizationId={organizationId} />}
    />
  );
}
