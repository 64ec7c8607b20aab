import type { OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { useSession } from '../../../lib/session/browser-session.ts';
import type { Standing } from '../members/index.ts';

/** My rights over the people of an organization; undefined until known, and for guests, who have none. */
export function useOrganizationStanding(organization: OrganizationDetail | undefined): Standing | undefined {
  const state = useSession();
  if (!organization?.role || state.status !== 'signed-in') return undefined;
  const { role, rights } = organization;
  return { kind: 'organization', userId: state.user.uid, role, rights };
}
