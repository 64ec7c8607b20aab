import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPedigreePage } from '../../../../features/pedigree/organization-pedigree-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/pedigree')({
  staticData: { right: 'see_germplasm' },
  component: OrganizationPedigreePageRoute,
});

function OrganizationPedigreePageRoute() {
  return <OrganizationPedigreePage {...Route.useParams()} />;
}
