import { BIN_DAYS, type BinEntry, type BinKind, binKind } from '@heterosis/contracts/data/bin';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { EntryTable } from '../../people/projects/index.ts';

const tableOf = (kind: BinKind): EntryTable => {
  if (kind === 'file') return 'files';
  if (kind === 'trial' || kind === 'photo' || kind === 'decision') return `${kind}s`;
  return RUN_KINDS[kind].path;
};

/** The bin of a project, most recently deleted first; one row more than `limit` if there is a next page. */
export async function listBin(
  db: Queryable,
  projectId: string,
  { limit, after }: { limit: number; after: readonly [deletedAt: string, id: string] | undefined },
): Promise<BinEntry[]> {
  const parts = binKind.options.map(
    (kind) => sql`
      select ${kind}::text as kind, id, name, created_by, deleted_at from ${sql.table(tableOf(kind))}
      where project_id = ${projectId} and deleted_at is not null`,
  );
  const { rows } = await sql<BinEntry>`
    select bin.kind, bin.id, bin.name, coalesce(users.name, users.email) as created_by,
      bin.created_by as created_by_id, bin.deleted_at,
      bin.deleted_at + make_interval(days => ${BIN_DAYS}) as gone_at
    from (${sql.join(parts, sql` union all `)}) as bin
    left join users on users.id = bin.created_by
    ${after === undefined ? sql`` : sql`where (bin.deleted_at, bin.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by bin.deleted_at desc, bin.id desc
    limit ${limit + 1}
  `.execute(db);
  return rows;
}

export interface Deleted {
  kind: BinKind;
  name: string;
  created_by: string | null;
}

/** An item in the bin, locked until the end of the transaction. */
export async function lockDeleted(db: Queryable, projectId: string, id: string): Promise<Deleted | undefined> {
  for (const kind of binKind.options) {
    const row = await db
      .selectFrom(tableOf(kind))
      .select(['name', 'created_by'])
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst();
    if (row !== undefined) return { kind, ...row };
  }
  return undefined;
}

/** Takes an item out of the bin. */
export async function updateRestored(
  db: Queryable,
  projectId: string,
  id: string,
  { kind, name }: { kind: BinKind; name: string },
): Promise<void> {
  await db
    .updateTable(tableOf(kind))
    .set({ name, deleted_at: null, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

/**
 * Moves a file to the root if its folder is deleted. Call it before looking for a free name, because names are unique
 * per folder.
 */
export async function leaveDeletedFolder(db: Queryable, projectId: string, fileId: string): Promise<void> {
  await sql`
    update files set folder_id = null from folders
    where files.project_id = ${projectId} and files.id = ${fileId}
      and folders.id = files.folder_id and folders.deleted_at is not null
  `.execute(db);
}

/** Whether an item outside the bin has this name in the place to which the deleted item would return. */
export async function isNameTaken(
  db: Queryable,
  projectId: string,
  id: string,
  { kind, name }: { kind: BinKind; name: string },
): Promise<boolean> {
  const table = sql.table(tableOf(kind));
  const { rows } = await sql`
    select from ${table} as other, ${table} as own
    where own.id = ${id} and own.project_id = ${projectId} and other.project_id = ${projectId}
      and other.deleted_at is null and lower(other.name) = lower(${name})
      ${kind === 'file' ? sql`and other.folder_id is not distinct from own.folder_id` : sql``}
    limit 1
  `.execute(db);
  return rows.length > 0;
}
