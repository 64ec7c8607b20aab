import type { Page, Role } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { membersApi } from '@heterosis/contracts/endpoints/people/members';
import type { OrganizationMember } from '@heterosis/contracts/people/organizations';
import { mayChangeRole, mayRemoveMember } from '@heterosis/contracts/people/people-rules';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { OrganizationAccess } from '../../../platform/http/access.ts';
import type { OrganizationCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  listMembers,
  lockMembers,
  updateMemberRole,
} from './members.queries.ts';

/**
 * Changes the role of a member. Owners may set any role, including OWNER, which transfers or shares the organization.
 * Managers may promote MEMBERs to managers if the organization lets them invite managers. The last owner cannot be
 * demoted.
 */
export async function changeMemberRole(
  { services: { db }, access, principal, requestId }: OrganizationCall,
  { id, body: { role } }: InputOf<typeof membersApi.changeMemberRole>,
): Promise<OrganizationMember> {
  const { organizationId } = access;
  return await db.transaction().execute(async (trx) => {
    await lockMembers(trx, organizationId);
    const member = isUuid(id) ? await findMember(trx, organizationId, id) : undefined;
    if (member === undefined) throw notFound('This member');
    requireMayChange(access, member.role, role);
    if (member.role === role) return member;
    if (member.role === 'OWNER') await requireAnotherOwner(trx, organizationId);
    await updateMemberRole(trx, organizationId, id, role);
    await recordAuditEvent(trx, {
      action: 'member.role-changed',
      actor: principal,
      organizationId,
      targetType: 'member',
      targetId: id,
      details: { email: member.email, from: member.role, to: role },
      requestId,
    });
    await tell(trx, organizationId, member.user_id);
    return { ...member, role };
  });
}

/**
 * Removes a member, or lets the caller leave. Managers may remove MEMBERs, owners anybody; the last owner cannot be
 * removed.
 */
export async function removeMember(
  { services: { db }, access, principal, requestId }: OrganizationCall,
  { id }: InputOf<typeof membersApi.removeMember>,
): Promise<void> {
  const { organizationId } = access;
  await db.transaction().execute(async (trx) => {
    await lockMembers(trx, organizationId);
    const member = isUuid(id) ? await findMember(trx, organizationId, id) : undefined;
    if (member === undefined) throw notFound('This member');
    const isLeaving = member.user_id === principal.userId;
    if (!isLeaving) requireMayRemove(access, member.role);
    if (member.role === 'OWNER') await requireAnotherOwner(trx, organizationId);
    await deleteMember(trx, organizationId, member.user_id);
    await recordAuditEvent(trx, {
      action: isLeaving ? 'member.left' : 'member.removed',
      actor: principal,
      organizationId,
      targetType: 'member',
      targetId: id,
      details: { email: member.email, role: member.role },
      requestId,
    });
    await tell(trx, organizationId, member.user_id);
  });
}

function requireMayChange({ role, mayInviteManagers }: OrganizationAccess, from: Role, to: Role): void {
  if (mayChangeRole({ place: 'organization', role, mayInviteManagers }, from, to)) return;
  throw new Problem('request/not-allowed', 'Only owners change this role. Ask an owner of the organization.');
}

function requireMayRemove({ role, mayInviteManagers }: OrganizationAccess, theirs: Role): void {
  if (mayRemoveMember({ place: 'organization', role, mayInviteManagers }, theirs)) return;
  throw new Problem(
    'request/not-allowed',
    role === 'MANAGER'
      ? 'Managers remove members only. Ask an owner of the organization.'
      : 'Only managers and owners remove people. Ask a manager or an owner of the organization.',
  );
}

async function requireAnotherOwner(trx: Queryable, organizationId: string): Promise<void> {
  if ((await countOwners(trx, organizationId)) > 1) return;
  throw new Problem(
    'organizations/last-owner',
    'An organization needs at least one owner. Make somebody else an owner first.',
  );
}

/** The remaining members see the change, and the user concerned gains or loses pages at once. */
async function tell(trx: Queryable, organizationId: string, userId: string): Promise<void> {
  const event = {
    type: 'organization',
    id: organizationId,
    project_id: null,
    organization_id: organizationId,
  } as const;
  await publishEvent(trx, event);
  await publishEvent(trx, { ...event, user_ids: [userId] });
}

/** `GET /organizations/{o}/members`. */
export async function listMembersOfOrganization(
  { services: { db }, access: { organizationId } }: OrganizationCall,
  { query: { limit, cursor } }: InputOf<typeof membersApi.listMembersOfOrganization>,
): Promise<Page<OrganizationMember>> {
  const rows = await listMembers(db, organizationId, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, (row) => [row.id]);
}
