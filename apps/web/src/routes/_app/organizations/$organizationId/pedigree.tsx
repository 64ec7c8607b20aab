import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPedigreePage } from '../../../../features/data/pedigree/organization-pedigree-page.tsx';
import { textParams } from '../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId/pedigree')({
  staticData: { right: 'see_germplasm' },
  validateSearch: textParams('individual'),
  component: OrganizationPedigreePageRoute,
});

function OrganizationPedigreePageRoute() {
  return <OrganizationPedigreePage {...Route.useParams()} />;
}
