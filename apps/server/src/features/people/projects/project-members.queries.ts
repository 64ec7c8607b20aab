import type { Role } from '@heterosis/contracts/common';
import type { ProjectMember } from '@heterosis/contracts/people/organizations';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

const membersOf = (db: Queryable, projectId: string) =>
  db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select([
      'project_members.id',
      'project_members.user_id',
      'users.name',
      'users.email',
      'project_members.role',
      'project_members.last_active_at',
      'project_members.created_at',
    ])
    .where('project_members.project_id', '=', projectId);

/** Users with a role in the project itself; one more than `limit`, in the order in which they joined. */
export function listProjectMembers(
  db: Queryable,
  projectId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ProjectMember[]> {
  return membersOf(db, projectId)
    .$if(after !== undefined, (query) => query.where('project_members.id', '>', after ?? ''))
    .orderBy('project_members.id')
    .limit(limit + 1)
    .execute();
}

/** Locks the row until the transaction ends. */
export function lockProjectMember(trx: Queryable, projectId: string, id: string): Promise<ProjectMember | undefined> {
  return membersOf(trx, projectId).where('project_members.id', '=', id).forUpdate('project_members').executeTakeFirst();
}

export async function updateProjectMemberRole(db: Queryable, projectId: string, id: string, role: Role): Promise<void> {
  await db
    .updateTable('project_members')
    .set({ role, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

export async function deleteProjectMember(db: Queryable, projectId: string, id: string): Promise<void> {
  await db.deleteFrom('project_members').where('project_id', '=', projectId).where('id', '=', id).execute();
}
