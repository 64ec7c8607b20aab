import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { projectMembersApi } from '@heterosis/contracts/endpoints/people/project-members';
import type { AuditAction } from '@heterosis/contracts/people/audit';
import type { ProjectMember } from '@heterosis/contracts/people/organizations';
import { type Actor, mayChangeRole, mayRemoveMember } from '@heterosis/contracts/people/people-rules';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import {
  deleteProjectMember,
  listProjectMembers,
  lockProjectMember,
  updateProjectMemberRole,
} from './project-members.queries.ts';

interface MemberRequest {
  access: ProjectAccess;
  principal: Principal;
  requestId?: string | undefined;
}

/** Managers of the project may promote members to managers and demote them; only owners appoint and demote owners. */
export async function changeProjectMemberRole(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { id, body: { role } }: InputOf<typeof projectMembersApi.changeProjectMemberRole>,
): Promise<ProjectMember> {
  return await db.transaction().execute(async (trx) => {
    const member = isUuid(id) ? await lockProjectMember(trx, access.projectId, id) : undefined;
    if (member === undefined) throw notFound('This member');
    requireAllowed(mayChangeRole(actorOf(access), member.role, role), access);
    if (member.role === role) return member;
    await updateProjectMemberRole(trx, access.projectId, id, role);
    await record(
      trx,
      { access, principal, requestId },
      { member, action: 'project-member.role-changed', details: { from: member.role, to: role } },
    );
    return { ...member, role };
  });
}

/** Removes a user from the project, or lets the caller leave. What the user created is kept. */
export async function removeProjectMember(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { id }: InputOf<typeof projectMembersApi.removeProjectMember>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const member = isUuid(id) ? await lockProjectMember(trx, access.projectId, id) : undefined;
    if (member === undefined) throw notFound('This member');
    const isLeaving = member.user_id === principal.userId;
    if (!isLeaving) requireAllowed(mayRemoveMember(actorOf(access), member.role), access);
    await deleteProjectMember(trx, access.projectId, id);
    const action = isLeaving ? 'project-member.left' : 'project-member.removed';
    await record(trx, { access, principal, requestId }, { member, action, details: { role: member.role } });
  });
}

const actorOf = ({ role }: ProjectAccess): Actor => ({ place: 'project', role, mayInviteManagers: false });

function requireAllowed(isAllowed: boolean, { role }: ProjectAccess): void {
  if (isAllowed) return;
  throw new Problem(
    'request/not-allowed',
    role === 'MANAGER'
      ? 'Only owners appoint, demote or remove owners. Ask an owner of the project.'
      : 'Only managers and owners change or remove members. Ask a manager of the project.',
  );
}

async function record(
  trx: Queryable,
  { access: { projectId, organizationId }, principal, requestId }: MemberRequest,
  { member, action, details }: { member: ProjectMember; action: AuditAction; details: Record<string, unknown> },
): Promise<void> {
  await recordAuditEvent(trx, {
    action,
    actor: principal,
    organizationId,
    projectId,
    targetType: 'project-member',
    targetId: member.id,
    details: { email: member.email, ...details },
    requestId,
  });
  // The remaining members see the change, and the user concerned gains or loses pages at once.
  const event = { type: 'project', id: projectId, project_id: projectId, organization_id: organizationId } as const;
  await publishEvent(trx, event);
  await publishEvent(trx, { ...event, user_ids: [member.user_id] });
}

/** `GET /projects/{p}/members`. */
export async function listMembersOfProject(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor } }: InputOf<typeof projectMembersApi.listMembersOfProject>,
): Promise<Page<ProjectMember>> {
  const rows = await listProjectMembers(db, projectId, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, (row) => [row.id]);
}
