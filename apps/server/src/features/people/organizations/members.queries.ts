import type { Role } from '@heterosis/contracts/common';
import type { OrganizationMember } from '@heterosis/contracts/people/organizations';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

const COLUMNS = [
  'organization_members.id',
  'organization_members.user_id',
  'users.name',
  'users.email',
  'organization_members.role',
  'organization_members.last_active_at',
  'organization_members.created_at',
] as const;

const membersOf = (db: Queryable, organizationId: string) =>
  db
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .select(COLUMNS)
    .where('organization_members.organization_id', '=', organizationId);

/** One more than `limit`, in the order in which they joined. */
export function listMembers(
  db: Queryable,
  organizationId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<OrganizationMember[]> {
  return membersOf(db, organizationId)
    .$if(after !== undefined, (query) => query.where('organization_members.id', '>', after ?? ''))
    .orderBy('organization_members.id')
    .limit(limit + 1)
    .execute();
}

export function findMember(db: Queryable, organizationId: string, id: string): Promise<OrganizationMember | undefined> {
  return membersOf(db, organizationId).where('organization_members.id', '=', id).executeTakeFirst();
}

/** Serialises membership changes of one organization until the transaction ends. */
export async function lockMembers(trx: Queryable, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for update`.execute(trx);
}

export async function countOwners(db: Queryable, organizationId: string): Promise<number> {
  const { owners } = await db
    .selectFrom('organization_members')
    .select((select) => select.fn.countAll<number>().as('owners'))
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'OWNER')
    .executeTakeFirstOrThrow();
  return Number(owners);
}

export async function updateMemberRole(db: Queryable, organizationId: string, id: string, role: Role): Promise<void> {
  await db
    .updateTable('organization_members')
    .set({ role, updated_at: sql<string>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Removes a user from the organization and all its projects. What the user created is kept. */
export async function deleteMember(db: Queryable, organizationId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('organization_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  await db
    .deleteFrom('project_members')
    .where('user_id', '=', userId)
    .where('project_id', 'in', (select) =>
      select.selectFrom('projects').select('projects.id').where('organization_id', '=', organizationId),
    )
    .execute();
}
