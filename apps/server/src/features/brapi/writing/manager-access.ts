import { isAtLeast, type OrganizationAccess, type Principal } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import { notAllowed, requirePaid } from '../../../platform/http/guards.ts';
import { findOrganizationAccess } from '../../people/organizations/index.ts';

/** Whoever may change the germplasm list of an organization, as in the application. */
export async function requireManager(
  { db }: Pick<Services, 'db'>,
  principal: Principal,
  organizationId: string,
): Promise<OrganizationAccess> {
  const access = await findOrganizationAccess(db, principal, organizationId);
  if (access === undefined || !isAtLeast(access.role, 'MANAGER')) throw notAllowed('organization', 'MANAGER');
  requirePaid(access);
  return access;
}
