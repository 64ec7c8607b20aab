import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { organizationsApi } from '@heterosis/contracts/endpoints/people/organizations';
import type { Organization, OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import { isAtLeast, type OrganizationAccess, type Principal } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { OrganizationCall, SignedInCall } from '../../../platform/http/bind.ts';
import { notAllowed } from '../../../platform/http/guards.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { hasSecondFactor } from '../auth/index.ts';
import { findLogoUrl } from './logos.queries.ts';
import { standingOf } from './organization-access.ts';
import { organizationRights } from './organization-rights.ts';
import {
  insertOrganization,
  listOrganizations as listRows,
  type OrganizationRow,
  updateOrganization,
} from './organizations.queries.ts';
import { countSeats } from './seats.queries.ts';
import { readUsage } from './usage.queries.ts';

/** The organizations of a user, and those whose projects the user has joined. */
export async function listOrganizations(
  { services: { db }, principal: { userId } }: SignedInCall,
  { query: { limit, cursor } }: InputOf<typeof organizationsApi.listOrganizations>,
): Promise<Page<Organization>> {
  const rows = await listRows(db, userId, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows.map(toOrganization), limit, (row) => [row.id]);
}

export async function readOrganization({
  services: { db, config },
  principal: { userId },
  access: { organizationId: id },
}: {
  services: Pick<Services, 'config'> & { db: Queryable };
  principal: Pick<Principal, 'userId'>;
  access: Pick<OrganizationAccess, 'organizationId'>;
}): Promise<OrganizationDetail> {
  const [row] = await listRows(db, userId, { limit: 1, id });
  if (!row) throw notFound('This organization');
  const isGuest = row.role === null;
  const usage = isGuest ? NO_USAGE : await readUsage(db, config.quotas, id);
  return {
    ...toOrganization(row),
    seat_total: isGuest ? null : row.seat_total,
    seat_usage: isGuest ? null : await countSeats(db, id),
    ...usage,
    members_may_create_projects: isGuest ? null : row.members_may_create_projects,
    managers_may_invite_managers: isGuest ? null : row.managers_may_invite_managers,
    requires_second_factor: isGuest ? null : row.requires_second_factor,
    share_link_days: isGuest ? null : row.share_link_days,
    billing_state: isGuest ? null : row.billing_state,
    logo_url: (await findLogoUrl(db, id)) ?? null,
  };
}

const NO_USAGE = {
  storage_used_bytes: null,
  storage_quota_bytes: null,
  runs_unfinished: null,
  run_quota: null,
};

/** Managers and owners see the subscription. A guest of a project sees only the name. */
function toOrganization({
  seat_total: _,
  members_may_create_projects,
  managers_may_invite_managers,
  requires_second_factor: _demand,
  share_link_days: _days,
  billing_state: billingState,
  ...row
}: OrganizationRow): Organization {
  const settings = { members_may_create_projects, managers_may_invite_managers };
  const rights = organizationRights({ ...standingOf(row.role ?? 'GUEST', settings), billingState });
  return {
    ...row,
    rights,
    description: row.role === null ? null : row.description,
    subscription_id: rights.includes('see_billing') ? row.subscription_id : null,
  };
}

/** The user who creates an organization becomes its OWNER. */
export async function createOrganization(
  { services: { db, config }, principal, requestId }: SignedInCall,
  { body: { name } }: InputOf<typeof organizationsApi.createOrganization>,
): Promise<OrganizationDetail> {
  return await db.transaction().execute(async (trx) => {
    const id = await insertOrganization(trx, name, principal.userId, config.billing.freeSeats);
    await recordAuditEvent(trx, {
      action: 'organization.created',
      actor: principal,
      organizationId: id,
      targetType: 'organization',
      targetId: id,
      requestId,
    });
    await publishEvent(trx, { ...eventOf(id), user_ids: [principal.userId] });
    return await readOrganization({ services: { db: trx, config }, principal, access: { organizationId: id } });
  });
}

export async function changeOrganization(
  { services: { db, config }, access: { organizationId, role }, principal, requestId }: OrganizationCall,
  { body: { name, description, ...rights } }: InputOf<typeof organizationsApi.changeOrganization>,
): Promise<OrganizationDetail> {
  const { managers_may_invite_managers: invite, requires_second_factor: demand, share_link_days: days } = rights;
  const isOwners = [invite, demand, days].some((right) => right !== undefined);
  if (isOwners && !isAtLeast(role, 'OWNER')) throw notAllowed('organization', 'OWNER');
  if (demand === true && !(await hasSecondFactor(db, principal.userId)))
    throw new Problem(
      'organizations/own-second-factor',
      'Set up a second factor for your own account first, under My account: it is what you ask of everybody here.',
    );
  return await db.transaction().execute(async (trx) => {
    await updateOrganization(trx, organizationId, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(rights.members_may_create_projects === undefined
        ? {}
        : { members_may_create_projects: rights.members_may_create_projects }),
      ...(invite === undefined ? {} : { managers_may_invite_managers: invite }),
      ...(demand === undefined ? {} : { requires_second_factor: demand }),
      ...(days === undefined ? {} : { share_link_days: days }),
    });
    if (Object.values(rights).some((right) => right !== undefined))
      await recordAuditEvent(trx, {
        action: 'organization.rights-changed',
        actor: principal,
        organizationId,
        targetType: 'organization',
        targetId: organizationId,
        details: rights,
        requestId,
      });
    await publishEvent(trx, eventOf(organizationId));
    return await readOrganization({ services: { db: trx, config }, principal, access: { organizationId } });
  });
}

/** Ends the subscription of an organization that is being deleted; the feature of billing does it. */
export type EndSubscription = (trx: Queryable, organizationId: string) => Promise<void>;

/** Moves the organization to the bin, from which its owners restore it. Its subscription is cancelled first. */
export async function deleteOrganization({
  services: { db, config },
  access: { organizationId },
  principal,
  requestId,
  endSubscription,
}: OrganizationCall & { endSubscription: EndSubscription }): Promise<void> {
  const { name } = await readOrganization({ services: { db, config }, principal, access: { organizationId } });
  await db.transaction().execute(async (trx) => {
    await endSubscription(trx, organizationId);
    await updateOrganization(trx, organizationId, { deleted_at: new Date().toISOString() });
    await recordAuditEvent(trx, {
      action: 'organization.deleted',
      actor: principal,
      organizationId,
      targetType: 'organization',
      targetId: organizationId,
      details: { name },
      requestId,
    });
    await publishEvent(trx, eventOf(organizationId));
  });
}

const eventOf = (id: string) => ({ type: 'organization', id, project_id: null, organization_id: id }) as const;
