import { createFileRoute } from '@tanstack/react-router';
import { OrganizationMembersPage } from '../../../../features/people/organizations/organization-members-page.tsx';

export const Route = createFileRoute('/_app/organizations/$organizationId/members')({
  staticData: { right: 'see_members' },
  component: OrganizationMembersPageRoute,
});

function OrganizationMembersPageRoute() {
  return <OrganizationMembersPage {...Route.useParams()} />;
}
