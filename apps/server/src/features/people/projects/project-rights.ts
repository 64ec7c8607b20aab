import type { Role } from '@heterosis/contracts/common';
import { PROJECT_RIGHTS, type ProjectRight } from '@heterosis/contracts/people/rights';
import { isAtLeast, type ProjectAccess } from '../../../platform/http/access.ts';

interface Demand {
  lowest: Role;
  /** Also while the subscription of the organization is past due or cancelled. */
  worksUnpaid?: true;
  /** What the role does not say. */
  and?: (access: Omit<ProjectAccess, 'projectId' | 'organizationId'>) => boolean;
}

const managesOrganization: Demand['and'] = ({ organizationRole }) =>
  organizationRole !== null && isAtLeast(organizationRole, 'MANAGER');

const DEMANDS: Record<ProjectRight, Demand> = {
  edit: { lowest: 'MANAGER' },
  delete: {
    lowest: 'MANAGER',
    worksUnpaid: true,
    and: (access) => access.projectRole === 'OWNER' || managesOrganization(access),
  },
  write: { lowest: 'MEMBER' },
  change_others: { lowest: 'MANAGER' },
  delete_own: { lowest: 'MEMBER', worksUnpaid: true },
  delete_others: { lowest: 'MANAGER', worksUnpaid: true },
  change_roles: { lowest: 'MANAGER' },
  remove_members: { lowest: 'MANAGER', worksUnpaid: true },
  see_invitations: { lowest: 'MANAGER', worksUnpaid: true },
  invite: { lowest: 'MANAGER' },
  invite_managers: { lowest: 'MANAGER', and: managesOrganization },
  // Guests see germplasm that the project uses, and add none unless they manage the project.
  add_germplasm: {
    lowest: 'MEMBER',
    and: ({ role, organizationRole }) => organizationRole !== null || isAtLeast(role, 'MANAGER'),
  },
  add_synonyms: { lowest: 'MANAGER' },
  see_audit: { lowest: 'MANAGER', worksUnpaid: true },
};

/** What a caller may do in a project now. The table of roles is held against it by a test. */
export function projectRights(access: Omit<ProjectAccess, 'projectId' | 'organizationId'>): ProjectRight[] {
  return (Object.keys(PROJECT_RIGHTS) as ProjectRight[]).filter((right) => {
    const { lowest, worksUnpaid, and } = DEMANDS[right];
    if (access.readOnly) return false;
    if (access.billingState !== 'active' && !worksUnpaid) return false;
    return isAtLeast(access.role, lowest) && (and === undefined || and(access));
  });
}
