import type { Role } from '@heterosis/contracts/common';
import type { Queryable } from '../../../platform/database/database.ts';
import type { OrganizationAccess, Principal } from '../../../platform/http/access.ts';

/** The caller's role in an organization; GUEST for members of its projects only; undefined for all others. */
export async function findOrganizationAccess(
  db: Queryable,
  principal: Pick<Principal, 'userId'>,
  organizationId: string,
): Promise<OrganizationAccess | undefined> {
  const row = await db
    .selectFrom('organizations')
    .leftJoin('organization_members as member', (join) =>
      join.onRef('member.organization_id', '=', 'organizations.id').on('member.user_id', '=', principal.userId),
    )
    .select([
      'member.role',
      'organizations.members_may_create_projects',
      'organizations.managers_may_invite_managers',
      'organizations.billing_state',
    ])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('project_members')
            .innerJoin('projects', 'projects.id', 'project_members.project_id')
            .select('project_members.id')
            .where('projects.organization_id', '=', organizationId)
            .where('projects.deleted_at', 'is', null)
            .where('project_members.user_id', '=', principal.userId),
        )
        .as('is_guest'),
    )
    .where('organizations.id', '=', organizationId)
    .where('organizations.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const role: Role | 'GUEST' | undefined = row.role ?? (row.is_guest ? 'GUEST' : undefined);
  if (role === undefined) return undefined;
  return { organizationId, ...standingOf(role, row), billingState: row.billing_state };
}

/** The role, and what the settings of the organization add to it. */
export const standingOf = (
  role: Role | 'GUEST',
  settings: { members_may_create_projects: boolean; managers_may_invite_managers: boolean },
): Pick<OrganizationAccess, 'role' | 'mayCreateProjects' | 'mayInviteManagers'> => ({
  role,
  mayCreateProjects: role === 'MEMBER' ? settings.members_may_create_projects : role !== 'GUEST',
  mayInviteManagers: role === 'OWNER' || (role === 'MANAGER' && settings.managers_may_invite_managers),
});
