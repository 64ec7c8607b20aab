import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BillingPage } from '../../../../features/people/billing/billing-page.tsx';
import { organizationQuery } from '../../../../features/people/organizations/index.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId/billing')({
  staticData: { right: 'see_billing' },
  component: BillingPageRoute,
});

function BillingPageRoute() {
  const { organizationId } = Route.useParams();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  return organization ? <BillingPage organization={organization} /> : null;
}
