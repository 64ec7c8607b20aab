import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPage } from '../../../../features/organizations/organization-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/')({ component: OrganizationPageRoute });

function OrganizationPageRoute() {
  return <OrganizationPage {...Route.useParams()} />;
}
