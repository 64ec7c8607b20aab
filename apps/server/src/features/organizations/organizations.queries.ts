import type { Role } from '@heterosis/contracts/common';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  description: string | null;
  subscription_id: string | null;
  seat_total: number;
  members_may_create_projects: boolean;
  role: Role | null;
  created_at: string;
  updated_at: string;
}

/** Organizations of a person: as a member, or as a guest of one of their projects (role null). One more than `limit`. */
export async function listOrganizations(
  db: Queryable,
  userId: string,
  { limit, after, id }: { limit: number; after?: string | undefined; id?: string },
): Promise<OrganizationRow[]> {
  return await db
    .selectFrom('organizations')
    .leftJoin('organization_members as member', (join) =>
      join.onRef('member.organization_id', '=', 'organizations.id').on('member.user_id', '=', userId),
    )
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.description',
      'organizations.subscription_id',
      'organizations.seat_total',
      'organizations.members_may_create_projects',
      'member.role',
      'organizations.created_at',
      'organizations.updated_at',
    ])
    .where('organizations.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('member.user_id', 'is not', null),
        where.exists(
          where
            .selectFrom('project_members')
            .innerJoin('projects', 'projects.id', 'project_members.project_id')
            .select('project_members.id')
            .whereRef('projects.organization_id', '=', 'organizations.id')
            .where('projects.deleted_at', 'is', null)
            .where('project_members.user_id', '=', userId),
        ),
      ]),
    )
    .$if(id !== undefined, (query) => query.where('organizations.id', '=', id ?? ''))
    .$if(after !== undefined, (query) => query.where('organizations.id', '>', after ?? ''))
    .orderBy('organizations.id')
    .limit(limit + 1)
    .execute();
}

export async function insertOrganization(db: Queryable, name: string, ownerId: string): Promise<string> {
  const id = uuidv7();
  await db.insertInto('organizations').values({ id, name, created_by: ownerId }).execute();
  await db
    .insertInto('organization_members')
    .values({ id: uuidv7(), organization_id: id, user_id: ownerId, role: 'OWNER' })
    .execute();
  return id;
}

export async function updateOrganization(
  db: Queryable,
  id: string,
  change: { name?: string; description?: string | null; members_may_create_projects?: boolean; deleted_at?: string },
): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ ...change, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** ROLES "Seat rule": distinct people with any role in the organization or its projects, and pending invitations. */
export async function countSeats(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select (
      select count(*) from (
        select user_id from organization_members where organization_id = ${organizationId}
        union
        select project_members.user_id from project_members
          join projects on projects.id = project_members.project_id
          where projects.organization_id = ${organizationId} and projects.deleted_at is null
      ) as people
    ) + (
      select count(distinct recipient) from invitations
        left join projects on projects.id = invitations.project_id
        where invitations.organization_id = ${organizationId}
          or (projects.organization_id = ${organizationId} and projects.deleted_at is null)
    ) as used
  `.execute(db);
  return Number(rows[0]?.used ?? 0);
}

export function listMembers(
  db: Queryable,
  organizationId: string,
  { limit, after }: { limit: number; after: string | undefined },
) {
  return db
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .select([
      'organization_members.id',
      'organization_members.user_id',
      'users.name',
      'users.email',
      'organization_members.role',
      'organization_members.created_at',
    ])
    .where('organization_members.organization_id', '=', organizationId)
    .$if(after !== undefined, (query) => query.where('organization_members.id', '>', after ?? ''))
    .orderBy('organization_members.id')
    .limit(limit + 1)
    .execute();
}
