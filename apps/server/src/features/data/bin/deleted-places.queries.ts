import { BIN_DAYS, type DeletedPlace } from '@heterosis/contracts/data/bin';
import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

interface Paging {
  limit: number;
  after: readonly [deletedAt: string, id: string] | undefined;
}

/** Deleted projects of an organization, most recently deleted first; one row more than `limit`. */
export function listDeletedProjects(db: Queryable, organizationId: string, paging: Paging): Promise<DeletedPlace[]> {
  return listDeleted(db, 'project', sql`place.organization_id = ${organizationId}`, paging);
}

/** Deleted organizations that a user owns, most recently deleted first; one row more than `limit`. */
export function listDeletedOrganizations(db: Queryable, userId: string, paging: Paging): Promise<DeletedPlace[]> {
  return listDeleted(db, 'organization', isOwnedBy(userId), paging);
}

const isOwnedBy = (userId: string) => sql`place.id in (
  select organization_id from organization_members where user_id = ${userId} and role = 'OWNER'
)`;

async function listDeleted(
  db: Queryable,
  kind: 'project' | 'organization',
  which: RawBuilder<unknown>,
  { limit, after }: Paging,
): Promise<DeletedPlace[]> {
  const { rows } = await sql<DeletedPlace>`
    select place.id, place.name, place.deleted_at, place.deleted_at + make_interval(days => ${BIN_DAYS}) as gone_at, (
      select coalesce(users.name, actor_email) from audit_events left join users on users.id = actor_id
      where audit_events.${sql.ref(`${kind}_id`)} = place.id and action = ${`${kind}.deleted`}
      order by audit_events.id desc limit 1
    ) as deleted_by
    from ${sql.table(`${kind}s`)} as place
    where ${which} and place.deleted_at is not null
      ${after === undefined ? sql`` : sql`and (place.deleted_at, place.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by place.deleted_at desc, place.id desc
    limit ${limit + 1}
  `.execute(db);
  return rows;
}

/** A deleted project of an organization, locked until the transaction ends. */
export async function lockDeletedProject(
  trx: Queryable,
  organizationId: string,
  id: string,
): Promise<{ name: string } | undefined> {
  return await trx
    .selectFrom('projects')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
}

/** A deleted organization that a user owns, locked until the transaction ends. */
export async function lockDeletedOrganization(
  trx: Queryable,
  userId: string,
  id: string,
): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select place.name from organizations as place
    where place.id = ${id} and ${isOwnedBy(userId)} and place.deleted_at is not null
    for update
  `.execute(trx);
  return rows[0];
}

export async function isProjectNameTaken(db: Queryable, organizationId: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from projects where organization_id = ${organizationId} and deleted_at is null and lower(name) = lower(${name})
  `.execute(db);
  return rows.length > 0;
}

export async function updateProjectRestored(
  trx: Queryable,
  organizationId: string,
  id: string,
  name: string,
): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ name, deleted_at: null, updated_at: sql<string>`now()`, last_active_at: sql<string>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function updateOrganizationRestored(trx: Queryable, id: string): Promise<void> {
  await trx
    .updateTable('organizations')
    .set({ deleted_at: null, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** The projects of an organization that are not deleted. */
export async function listProjectIds(db: Queryable, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** What the sweep stopped in a deleted project: things whose last run was cancelled and none is under way. */
export async function listStopped(db: Queryable, projectId: string): Promise<{ kind: 'file' | RunKind; id: string }[]> {
  const entities = (['file', ...runKinds] as const).map(
    (kind) => sql`
      select ${kind}::text as kind, id from ${sql.table(kind === 'file' ? 'files' : RUN_KINDS[kind].path)}
      where project_id = ${projectId} and deleted_at is null`,
  );
  const { rows } = await sql<{ kind: 'file' | RunKind; id: string }>`
    select entities.kind, entities.id from (${sql.join(entities, sql` union all `)}) as entities
    where exists (
      select from runs where runs.project_id = ${projectId} and runs.entity_kind = entities.kind
        and runs.entity_id = entities.id and runs.state = 'CANCELLED'
    ) and not exists (
      select from runs where runs.project_id = ${projectId} and runs.entity_kind = entities.kind
        and runs.entity_id = entities.id and runs.finished_at is null
    )
  `.execute(db);
  return rows;
}
