import type { Role } from '@heterosis/contracts/common';
import type { Queryable } from '../../../platform/database/database.ts';
import { preparedRead } from '../../../platform/database/prepared-query.ts';
import { isAtLeast, type Principal, type ProjectAccess, type VisibleScopes } from '../../../platform/http/access.ts';

/**
 * The caller's access to a project. OWNER and MANAGER of the organization have access to all its projects, all others
 * only to those they have joined. The effective role is the higher of the two.
 */
export async function findProjectAccess(
  db: Queryable,
  principal: Pick<Principal, 'userId' | 'isGuest'>,
  projectId: string,
): Promise<ProjectAccess | undefined> {
  const row = await findAccessRow(db, principal.userId, principal.userId, projectId);
  if (!row) return undefined;
  const role = principal.isGuest ? 'GUEST' : effectiveRole(row.project_role, row.organization_role);
  if (!role) return undefined;
  return {
    projectId,
    organizationId: row.organization_id,
    role,
    projectRole: row.project_role,
    organizationRole: row.organization_role,
    readOnly: role === 'GUEST' || (row.members_read_only && role === 'MEMBER'),
    billingState: row.billing_state,
  };
}

const findAccessRow = preparedRead(
  (db, ofProject, ofOrganization, projectId) =>
    db
      .selectFrom('projects')
      .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
      .leftJoin('project_members as joined', (join) =>
        join.onRef('joined.project_id', '=', 'projects.id').on('joined.user_id', '=', ofProject),
      )
      .leftJoin('organization_members as member', (join) =>
        join.onRef('member.organization_id', '=', 'projects.organization_id').on('member.user_id', '=', ofOrganization),
      )
      .select([
        'projects.organization_id',
        'projects.members_read_only',
        'organizations.billing_state',
        'joined.role as project_role',
        'member.role as organization_role',
      ])
      .where('projects.id', '=', projectId)
      .where('projects.deleted_at', 'is', null)
      .where('organizations.deleted_at', 'is', null),
  ['user of the project', 'user of the organization', 'project'],
);

export function effectiveRole(projectRole: Role | null, organizationRole: Role | null): Role | undefined {
  const fromOrganization =
    organizationRole !== null && isAtLeast(organizationRole, 'MANAGER') ? organizationRole : null;
  if (projectRole === null) return fromOrganization ?? undefined;
  return fromOrganization !== null && isAtLeast(fromOrganization, projectRole) ? fromOrganization : projectRole;
}

/** The projects and organizations whose events a user may receive. */
export async function listVisibleScopes(db: Queryable, principal: Principal): Promise<VisibleScopes> {
  const organizations = await db
    .selectFrom('organization_members')
    .select(['organization_id', 'role'])
    .where('user_id', '=', principal.userId)
    .execute();
  const managed = organizations.filter(({ role }) => isAtLeast(role, 'MANAGER')).map((one) => one.organization_id);
  const projects = await db
    .selectFrom('projects')
    .leftJoin('project_members as joined', (join) =>
      join.onRef('joined.project_id', '=', 'projects.id').on('joined.user_id', '=', principal.userId),
    )
    .select('projects.id')
    .where('projects.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('joined.user_id', 'is not', null),
        ...(managed.length > 0 ? [where('projects.organization_id', 'in', managed)] : []),
      ]),
    )
    .execute();
  return {
    organizationIds: organizations.map((one) => one.organization_id),
    projectIds: projects.map((one) => one.id),
  };
}
