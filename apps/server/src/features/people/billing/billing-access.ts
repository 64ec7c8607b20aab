import type { Queryable } from '../../../platform/database/database.ts';
import { isAtLeast, type OrganizationAccess, type Principal } from '../../../platform/http/access.ts';
import { notAllowed } from '../../../platform/http/guards.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { findOrganizationAccess } from '../organizations/index.ts';
import {
  findCurrentSubscription,
  findSubscription,
  listSubscribedOrganizations,
  type StoredSubscription,
} from './subscriptions.queries.ts';

/** For routes whose address does not name the organization: what their guard would check. */
async function requireRole(
  db: Queryable,
  principal: Principal,
  organizationId: string,
  lowest: 'MANAGER' | 'OWNER',
): Promise<OrganizationAccess> {
  const access = isUuid(organizationId) ? await findOrganizationAccess(db, principal, organizationId) : undefined;
  if (access === undefined) throw notFound('This organization');
  if (!isAtLeast(access.role, lowest)) throw notAllowed('organization', lowest);
  return access;
}

export async function requireOwner(db: Queryable, principal: Principal, organizationId: string): Promise<void> {
  await requireRole(db, principal, organizationId, 'OWNER');
}

const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/** A subscription by its own id, for managers and owners of its organization. */
export async function requireSubscription(
  db: Queryable,
  principal: Principal,
  id: string,
): Promise<StoredSubscription> {
  const subscription = await findSubscription(db, id);
  // Also without one: an answer that comes sooner would tell that there is none.
  const access = await findOrganizationAccess(db, principal, subscription?.organizationId ?? NO_ORGANIZATION);
  if (subscription === undefined || access === undefined) throw notFound('This subscription');
  if (!isAtLeast(access.role, 'MANAGER')) throw notAllowed('organization', 'MANAGER');
  return subscription;
}

/** The subscription whose card an owner means: of the named organization, or of the only one that has any. */
export async function requireOwnSubscription(
  db: Queryable,
  principal: Principal,
  organizationId: string | undefined,
): Promise<StoredSubscription> {
  const id = organizationId ?? (await onlyOrganization(db, principal));
  await requireOwner(db, principal, id);
  return await requireCurrentSubscription(db, id);
}

export async function requireCurrentSubscription(db: Queryable, organizationId: string): Promise<StoredSubscription> {
  const subscription = await findCurrentSubscription(db, organizationId);
  if (subscription === undefined) throw noSubscription();
  return subscription;
}

async function onlyOrganization(db: Queryable, { userId }: Principal): Promise<string> {
  const [first, second] = await listSubscribedOrganizations(db, userId);
  if (first === undefined) throw noSubscription();
  if (second !== undefined)
    throw new Problem(
      'billing/which-organization',
      'You own several organizations with a subscription. Name one of them in organization_id.',
      { invalidParams: [{ name: 'organization_id', reason: 'is needed' }] },
    );
  return first;
}

function noSubscription(): Problem {
  return new Problem('billing/no-subscription', 'The organization has no subscription. Choose a plan first.');
}
