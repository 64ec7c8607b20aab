import { createFileRoute } from '@tanstack/react-router';
import { OrganizationFrame } from '../../../features/people/organizations/organization-frame.tsx';
import { organizationQuery } from '../../../features/people/organizations/organizations.api.ts';
import { queryClient } from '../../../lib/api/query-client.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId')({
  loader: ({ params }) => queryClient.ensureQueryData(organizationQuery(params.organizationId)),
  component: OrganizationRoute,
});

function OrganizationRoute() {
  return <OrganizationFrame {...Route.useParams()} />;
}
