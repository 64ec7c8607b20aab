import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPedigreePage } from '../../../../features/pedigree/organization-pedigree-page.tsx';
import { textParams } from '../../../../lib/search-params.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId/pedigree')({
  staticData: { right: 'see_germplasm' },
  validateSearch: textParams('individual'),
  component: OrganizationPedigreePageRoute,
});

function OrganizationPedigreePageRoute() {
  return <OrganizationPedigreePage {...Route.useParams()} />;
}
