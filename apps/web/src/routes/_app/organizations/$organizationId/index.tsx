import { createFileRoute } from '@tanstack/react-router';
import { DeletedProjects } from '../../../../features/bin/deleted-places.tsx';
import { OrganizationPage } from '../../../../features/organizations/organization-page.tsx';
import { OrganizationProjects } from '../../../../features/projects/organization-projects.tsx';

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
