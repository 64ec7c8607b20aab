import { createFileRoute, Outlet } from '@tanstack/react-router';
import { organizationQuery } from '../../../features/organizations/organizations.api.ts';
import { queryClient } from '../../../lib/query-client.ts';

export const Route = createFileRoute('/_app/organizations/$organizationId')({
  loader: ({ params }) => queryClient.ensureQueryData(organizationQuery(params.organizationId)),
  component: Outlet,
});
