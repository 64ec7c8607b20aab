import type { Organization } from '@heterosis/contracts/organizations';
import { useQueries, useQuery } from '@tanstack/react-query';
import { organizationQuery, organizationsQuery } from '../organizations/index.ts';

/** My organizations in which I may create projects; undefined until known. */
export function useCreatableOrganizations(): Organization[] | undefined {
  const { data: organizations } = useQuery(organizationsQuery());
  // Only the details say whether members may.
  const asMember = (organizations ?? []).filter(({ role }) => role === 'MEMBER');
  const details = useQueries({ queries: asMember.map(({ id }) => organizationQuery(id)) });
  if (!organizations || details.some(({ isPending }) => isPending)) return undefined;
  const open = new Set(details.flatMap(({ data }) => (data?.members_may_create_projects ? [data.id] : [])));
  return organizations.filter(({ id, role }) => role === 'OWNER' || role === 'MANAGER' || open.has(id));
}
