import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import type { Project, ProjectDetail } from '@heterosis/contracts/people/projects';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { type Queryable, violates } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import { isAtLeast, type Principal, type ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall, SignedInCall } from '../../../platform/http/bind.ts';
import { notAllowed, requirePaid } from '../../../platform/http/guards.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { orNameTaken } from '../../../platform/http/taken-name.ts';
import { findOrganizationAccess } from '../organizations/index.ts';
import { effectiveRole } from './project-access.ts';
import { projectRights } from './project-rights.ts';
import {
  findOpenProject,
  insertProject,
  isCropOf,
  listProjects as listRows,
  type ProjectRow,
  updateProject,
} from './projects.queries.ts';

/** The projects to which the user has access. */
export async function listProjects(
  { services: { db }, principal: { userId, projectIds } }: SignedInCall,
  { query: { limit, cursor } }: InputOf<typeof projectsApi.listProjects>,
): Promise<Page<Project>> {
  const rows = await listRows(db, userId, { limit, after: decodeIdCursor(cursor), among: projectIds ?? undefined });
  return toPage(
    rows.map((row) => toProject(row)),
    limit,
    (row) => [row.id],
  );
}

export async function readProject({
  services: { db },
  principal: { userId, isGuest },
  access: { projectId },
}: {
  services: { db: Queryable };
  principal: Pick<Principal, 'userId' | 'isGuest'>;
  access: Pick<ProjectAccess, 'projectId'>;
}): Promise<ProjectDetail> {
  const row = isGuest
    ? await findOpenProject(db, userId, projectId)
    : (await listRows(db, userId, { limit: 1, among: [projectId] }))[0];
  if (!row) throw notFound('This project');
  const { description, members_read_only, billing_state } = row;
  return { ...toProject(row, isGuest), description, members_read_only, billing_state };
}

/** A project as its person sees it. */
export function toProject(row: ProjectRow, isGuest = false): Project {
  const role = isGuest ? 'GUEST' : effectiveRole(row.project_role, row.organization_role);
  if (!role) throw new Error('A project without a role was listed');
  return {
    id: row.id,
    name: row.name,
    organization: { id: row.organization_id, name: row.organization_name },
    crop: row.crop_id === null ? null : { id: row.crop_id, name: row.crop_name ?? '' },
    role,
    rights: projectRights({
      role,
      projectRole: row.project_role,
      organizationRole: row.organization_role,
      readOnly: isGuest || (row.members_read_only && role === 'MEMBER'),
      billingState: row.billing_state,
    }),
    last_active_at: row.last_active_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The user who creates a project becomes its OWNER. */
export async function createProject(
  { services: { db }, principal, requestId }: SignedInCall,
  { body }: InputOf<typeof projectsApi.createProject>,
): Promise<ProjectDetail> {
  const { name, organization_id, crop_id } = body;
  const access = await findOrganizationAccess(db, principal, organization_id);
  if (!access) throw notFound('This organization');
  if (!access.mayCreateProjects) throw notAllowed('organization', 'MANAGER');
  requirePaid(access);
  if (!(await isCropOf(db, organization_id, crop_id))) throw notACrop();
  return await db.transaction().execute(async (trx) => {
    const id = await orNameTaken(takenName(name), () =>
      insertProject(trx, { name, organization_id, crop_id, created_by: principal.userId }),
    ).catch((error: unknown) => {
      // Deleted since it was looked up.
      throw violates(error, 'projects_crop') ? notACrop(error) : error;
    });
    await recordAuditEvent(trx, {
      action: 'project.created',
      actor: principal,
      organizationId: organization_id,
      projectId: id,
      targetType: 'project',
      targetId: id,
      details: { name },
      requestId,
    });
    await publishEvent(trx, {
      type: 'project',
      id,
      project_id: id,
      organization_id,
      user_ids: [principal.userId],
    });
    return await readProject({ services: { db: trx }, principal, access: { projectId: id } });
  });
}

export async function changeProject(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { body: { name, description, members_read_only } }: InputOf<typeof projectsApi.changeProject>,
): Promise<ProjectDetail> {
  const { projectId, organizationId } = access;
  return await db.transaction().execute(async (trx) => {
    await orNameTaken(takenName(name ?? ''), () =>
      updateProject(trx, projectId, {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(members_read_only === undefined ? {} : { members_read_only }),
      }),
    );
    if (members_read_only !== undefined)
      await recordAuditEvent(trx, {
        action: 'project.rights-changed',
        actor: principal,
        organizationId,
        projectId,
        targetType: 'project',
        targetId: projectId,
        details: { members_read_only },
        requestId,
      });
    await publishEvent(trx, eventOf(access));
    return await readProject({ services: { db: trx }, principal, access: { projectId } });
  });
}

/**
 * Moves the project to the bin. Its owner and a manager of the organization may do so; a manager of the project may
 * not.
 */
export async function deleteProject({ services: { db }, access, principal, requestId }: ProjectCall): Promise<void> {
  const { projectId, organizationId, projectRole, organizationRole } = access;
  if (projectRole !== 'OWNER' && !(organizationRole && isAtLeast(organizationRole, 'MANAGER')))
    throw notAllowed('project', 'OWNER');
  await db.transaction().execute(async (trx) => {
    await updateProject(trx, projectId, { deleted_at: new Date().toISOString() });
    await recordAuditEvent(trx, {
      action: 'project.deleted',
      actor: principal,
      organizationId,
      projectId,
      targetType: 'project',
      targetId: projectId,
      requestId,
    });
    await publishEvent(trx, eventOf(access));
  });
}

const eventOf = ({ projectId, organizationId }: ProjectAccess) =>
  ({ type: 'project', id: projectId, project_id: projectId, organization_id: organizationId }) as const;

const notACrop = (cause?: unknown): Problem =>
  new Problem('projects/crop-not-in-organization', 'Choose a crop of this organization, or add it first.', {
    invalidParams: [{ name: 'body.crop_id', reason: 'not a crop of this organization' }],
    cause,
  });

const takenName = (name: string) => ({
  index: 'projects_name',
  detail: `There is a project called "${name}" in this organization already. Choose another name.`,
});
