import type { OrganizationRight } from '@heterosis/contracts/people/rights';
import { useQuery } from '@tanstack/react-query';
import { organizationQuery } from './organizations.api.ts';

/** Whether the server lets me do something in an organization now; nothing until it is known. */
export function useOrganizationRights(organizationId: string): (right: OrganizationRight) => boolean {
  const { data: organization } = useQuery(organizationQuery(organizationId));
  return (right) => organization?.rights.includes(right) ?? false;
}
