import type { Role } from '@heterosis/contracts/common';
import type { BillingState } from '@heterosis/contracts/people/billing';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { preparedRows } from '../../../platform/database/prepared-query.ts';
import { sharedRead } from '../../../platform/database/shared-read.ts';

export interface ProjectRow {
  id: string;
  name: string;
  description: string | null;
  members_read_only: boolean;
  organization_id: string;
  organization_name: string;
  billing_state: BillingState;
  crop_id: string | null;
  crop_name: string | null;
  project_role: Role | null;
  organization_role: Role | null;
  last_active_at: string;
  created_at: string;
  updated_at: string;
}

/** Projects with the roles of a user, who is given twice. */
const selectAll = (db: Queryable, ofProject: string, ofOrganization: string) =>
  db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .leftJoin('crops', 'crops.id', 'projects.crop_id')
    .leftJoin('project_members as joined', (join) =>
      join.onRef('joined.project_id', '=', 'projects.id').on('joined.user_id', '=', ofProject),
    )
    .leftJoin('organization_members as member', (join) =>
      join.onRef('member.organization_id', '=', 'projects.organization_id').on('member.user_id', '=', ofOrganization),
    )
    .select([
      'projects.id',
      'projects.name',
      'projects.description',
      'projects.members_read_only',
      'projects.organization_id',
      'organizations.name as organization_name',
      'organizations.billing_state',
      'projects.crop_id',
      'crops.name as crop_name',
      'joined.role as project_role',
      'member.role as organization_role',
      'projects.last_active_at',
      'projects.created_at',
      'projects.updated_at',
    ])
    .where('projects.deleted_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .orderBy('projects.id');

/** Those to which the user has access. */
const selectProjects = (db: Queryable, ofProject: string, ofOrganization: string) =>
  selectAll(db, ofProject, ofOrganization).where((where) =>
    where.or([where('joined.user_id', 'is not', null), sql<boolean>`member.role in ('OWNER', 'MANAGER')`]),
  );

/** A project that was opened to somebody without a role in it. */
export const findOpenProject = (db: Queryable, userId: string, projectId: string): Promise<ProjectRow | undefined> =>
  selectAll(db, userId, userId).where('projects.id', '=', projectId).executeTakeFirst();

/** One row more than `limit`. */
export function listProjects(
  db: Queryable,
  userId: string,
  { limit, after, among }: { limit: number; after?: string | undefined; among?: readonly string[] | undefined },
): Promise<ProjectRow[]> {
  return selectProjects(db, userId, userId)
    .$if(among !== undefined, (query) => query.where(sql<boolean>`projects.id = any(${among})`))
    .$if(after !== undefined, (query) => query.where('projects.id', '>', after ?? ''))
    .limit(limit + 1)
    .execute();
}

/** All of them, for what every request asks. */
export const listAllProjects: (db: Queryable, ofProject: string, ofOrganization: string) => Promise<ProjectRow[]> =
  sharedRead(preparedRows(selectProjects, ['user of the project', 'user of the organization']));

/** The user who creates a project becomes its OWNER. */
export async function insertProject(
  db: Queryable,
  project: { name: string; organization_id: string; crop_id: string; created_by: string },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('projects')
    .values({ id, ...project })
    .execute();
  await db
    .insertInto('project_members')
    .values({ id: uuidv7(), project_id: id, user_id: project.created_by, role: 'OWNER' })
    .execute();
  return id;
}

export async function isCropOf(db: Queryable, organizationId: string, cropId: string): Promise<boolean> {
  const row = await db
    .selectFrom('crops')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', cropId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateProject(
  db: Queryable,
  projectId: string,
  change: { name?: string; description?: string | null; members_read_only?: boolean; deleted_at?: string },
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ ...change, updated_at: sql<string>`now()` })
    .where('id', '=', projectId)
    .execute();
}
