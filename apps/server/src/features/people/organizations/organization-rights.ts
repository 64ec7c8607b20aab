import type { Role } from '@heterosis/contracts/common';
import { ORGANIZATION_RIGHTS, type OrganizationRight } from '@heterosis/contracts/people/rights';
import { isAtLeast, type OrganizationAccess } from '../../../platform/http/access.ts';

interface Demand {
  /** `invites-managers`: owners, and managers where the organization allows it. */
  lowest: Role | 'invites-managers' | 'creates-projects';
  /** Also while the subscription is past due or cancelled. */
  worksUnpaid?: true;
}

const DEMANDS: Record<OrganizationRight, Demand> = {
  edit: { lowest: 'MANAGER' },
  delete: { lowest: 'OWNER', worksUnpaid: true },
  see_members: { lowest: 'MEMBER', worksUnpaid: true },
  change_roles: { lowest: 'invites-managers' },
  remove_members: { lowest: 'MANAGER', worksUnpaid: true },
  see_invitations: { lowest: 'MANAGER', worksUnpaid: true },
  invite: { lowest: 'MANAGER' },
  invite_managers: { lowest: 'invites-managers' },
  create_projects: { lowest: 'creates-projects' },
  restore_projects: { lowest: 'MANAGER' },
  change_crops: { lowest: 'MANAGER' },
  delete_crops: { lowest: 'MANAGER', worksUnpaid: true },
  see_germplasm: { lowest: 'MEMBER', worksUnpaid: true },
  change_germplasm: { lowest: 'MANAGER' },
  delete_germplasm: { lowest: 'MANAGER', worksUnpaid: true },
  see_billing: { lowest: 'MANAGER', worksUnpaid: true },
  change_billing: { lowest: 'OWNER', worksUnpaid: true },
  see_webhooks: { lowest: 'MANAGER', worksUnpaid: true },
  see_share_links: { lowest: 'MANAGER', worksUnpaid: true },
  change_webhooks: { lowest: 'MANAGER' },
  see_audit: { lowest: 'MANAGER', worksUnpaid: true },
};

/** What a caller may do in an organization now. The table of roles is held against it by a test. */
export function organizationRights(access: Omit<OrganizationAccess, 'organizationId'>): OrganizationRight[] {
  return (Object.keys(ORGANIZATION_RIGHTS) as OrganizationRight[]).filter((right) => {
    const { lowest, worksUnpaid } = DEMANDS[right];
    if (access.billingState !== 'active' && !worksUnpaid) return false;
    if (lowest === 'invites-managers') return access.mayInviteManagers;
    if (lowest === 'creates-projects') return access.mayCreateProjects;
    return isAtLeast(access.role, lowest);
  });
}
