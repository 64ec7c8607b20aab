import { MAX_SHARE_LINKS, type SharedKind, type ShareLink } from '@heterosis/contracts/people/share-links';
import { type RawBuilder, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { ITEM_TABLES, namedItem } from '../home/index.ts';

/** The earlier of what was chosen, and what the organization allows now. */
const EXPIRES = sql`least(link.expires_at, link.created_at + make_interval(days => organizations.share_link_days))`;

/** Links of places that are not deleted, with the name of what they show, if that exists. */
const LINKS = sql`
  share_links as link
  join projects on projects.id = link.project_id and projects.deleted_at is null
  join organizations on organizations.id = projects.organization_id and organizations.deleted_at is null
  cross join lateral (
    select link.entity_kind as kind, link.entity_id as item_id, link.project_id
  ) as mark
  left join lateral ${namedItem} as item on true`;

const COLUMNS = sql`
  link.id, link.entity_kind, link.entity_id, item.name,
  jsonb_build_object('id', projects.id, 'name', projects.name) as project,
  case
    when link.revoked_at is not null then 'REVOKED'
    when ${EXPIRES} <= now() then 'EXPIRED'
    when item.name is null then 'CLOSED'
    else 'OPEN'
  end as state,
  case when users.id is not null
    then jsonb_build_object('id', users.id, 'name', coalesce(users.name, users.email)) end as created_by,
  link.created_at, ${EXPIRES} as expires_at, link.revoked_at, link.last_opened_at, link.opened_count`;

/** The newest first; one more than `limit`. */
async function select(
  db: Queryable,
  condition: RawBuilder<unknown>,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<ShareLink[]> {
  const { rows } = await sql<ShareLink>`
    select ${COLUMNS} from ${LINKS} left join users on users.id = link.created_by
    where ${condition} ${before === undefined ? sql`` : sql`and link.id < ${before}::uuid`}
    order by link.id desc limit ${limit + 1}
  `.execute(db);
  return rows;
}

export interface Asked {
  projectId: string;
  kind?: SharedKind | undefined;
  entityId?: string | undefined;
}

export const listLinks = (
  db: Queryable,
  { projectId, kind, entityId }: Asked,
  page: { limit: number; before: string | undefined },
): Promise<ShareLink[]> =>
  select(
    db,
    sql`link.project_id = ${projectId}
      ${kind === undefined ? sql`` : sql`and link.entity_kind = ${kind}`}
      ${entityId === undefined ? sql`` : sql`and link.entity_id = ${entityId}::uuid`}`,
    page,
  );

export const listLinksOfOrganization = (
  db: Queryable,
  organizationId: string,
  page: { limit: number; before: string | undefined },
): Promise<ShareLink[]> => select(db, sql`organizations.id = ${organizationId}`, page);

export const findLink = async (db: Queryable, projectId: string, id: string): Promise<ShareLink | undefined> =>
  (await select(db, sql`link.project_id = ${projectId} and link.id = ${id}::uuid`, { limit: 1, before: undefined }))[0];

/** What is to be shared; undefined for what is deleted, or of another project. */
export async function findShared(
  db: Queryable,
  { projectId, kind, entityId }: Required<Asked> & { kind: SharedKind; entityId: string },
): Promise<{ name: string; createdBy: string | null } | undefined> {
  const table = ITEM_TABLES.find((one) => one.kind === kind);
  if (table === undefined) return undefined;
  const { rows } = await sql<{ name: string; createdBy: string | null }>`
    select name, created_by as "createdBy" from ${sql.table(table.table)}
    where id = ${entityId} and project_id = ${projectId} and deleted_at is null
  `.execute(db);
  return rows[0];
}

/** How long links of an organization may live, and how many of the project open; locks the project until the end. */
export async function readLimits(db: Queryable, projectId: string): Promise<{ days: number; open: number }> {
  const { rows } = await sql<{ days: number; open: number }>`
    select organizations.share_link_days as days, (
      select count(*)::int from share_links as link
      where link.project_id = projects.id and link.revoked_at is null and ${EXPIRES} > now()
    ) as open
    from projects join organizations on organizations.id = projects.organization_id
    where projects.id = ${projectId} for no key update of projects
  `.execute(db);
  const [limits] = rows;
  if (limits === undefined) throw new Error(`The project ${projectId} is gone within its own transaction`);
  return limits;
}

export async function insertLink(
  db: Queryable,
  link: Required<Asked> & { tokenHash: Buffer; days: number; createdBy: string; kind: SharedKind; entityId: string },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('share_links')
    .values({
      ...{ id, project_id: link.projectId, entity_kind: link.kind, entity_id: link.entityId },
      ...{ token_hash: link.tokenHash, created_by: link.createdBy },
      expires_at: sql<string>`now() + make_interval(days => ${link.days})`,
    })
    .execute();
  return id;
}

export async function updateRevoked(db: Queryable, projectId: string, id: string): Promise<void> {
  await db
    .updateTable('share_links')
    .set({ revoked_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Those that open again with what has just been restored. */
export const listRestored = (db: Queryable, { projectId, entityId }: Asked): Promise<ShareLink[]> =>
  select(
    db,
    sql`link.project_id = ${projectId} and link.revoked_at is null and ${EXPIRES} > now()
      ${entityId === undefined ? sql`` : sql`and link.entity_id = ${entityId}::uuid`}`,
    { limit: MAX_SHARE_LINKS, before: undefined },
  );

export interface OpenLink {
  id: string;
  project_id: string;
  entity_kind: SharedKind;
  entity_id: string;
  expires_at: string;
}

/**
 * The link with this secret, if it opens now. Wrong, expired and revoked ones are the same to it, and take the same
 * time: one look into the index of hashes.
 */
export async function findOpenLink(db: Queryable, tokenHash: Buffer): Promise<OpenLink | undefined> {
  const { rows } = await sql<OpenLink>`
    select link.id, link.project_id, link.entity_kind, link.entity_id, ${EXPIRES} as expires_at
    from ${LINKS}
    where link.token_hash = ${tokenHash} and link.revoked_at is null and ${EXPIRES} > now() and item.name is not null
  `.execute(db);
  return rows[0];
}

export async function updateOpened(db: Queryable, id: string): Promise<void> {
  await db
    .updateTable('share_links')
    .set({ last_opened_at: sql<string>`now()`, opened_count: sql<number>`opened_count + 1` })
    .where('id', '=', id)
    .execute();
}

/** Links that open no more stay in the lists for a while; the audit keeps them. */
const KEPT_DAYS = 90;

/** Deletes what ended long ago, and links to what is deleted for good. */
export async function sweepShareLinks(db: Queryable): Promise<void> {
  await sql`
    delete from share_links where least(expires_at, revoked_at) < now() - make_interval(days => ${KEPT_DAYS})
  `.execute(db);
  for (const { kind, table } of ITEM_TABLES)
    await sql`
      delete from share_links
      where entity_kind = ${kind} and not exists (select from ${sql.table(table)} as one where one.id = entity_id)
    `.execute(db);
}
