import type { Reference } from '@heterosis/contracts/common';
import type { Folder } from '@heterosis/contracts/data/folders';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { CursorKey } from '../../../../platform/http/pagination.ts';

const COLUMNS = [
  'id',
  'name',
  'project_id',
  'folder_id',
  'created_by as created_by_id',
  'created_at',
  'updated_at',
] as const;

export interface FolderFilter {
  /** Undefined: all folders of the project; null: those at the root. */
  folderId?: string | null | undefined;
  limit: number;
  after?: CursorKey | undefined;
}

/** By name. */
export async function listFolders(
  db: Queryable,
  projectId: string,
  { folderId, limit, after }: FolderFilter,
): Promise<Folder[]> {
  return await db
    .selectFrom('folders')
    .select(COLUMNS)
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .$if(folderId === null, (query) => query.where('folder_id', 'is', null))
    .$if(typeof folderId === 'string', (query) => query.where('folder_id', '=', folderId ?? null))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(lower(name), id) > (lower(${after?.[0]}), ${after?.[1]}::uuid)`),
    )
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit + 1)
    .execute();
}

export async function findFolder(db: Queryable, projectId: string, id: string): Promise<Folder | undefined> {
  return await db
    .selectFrom('folders')
    .select(COLUMNS)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Serialises changes of the tree: concurrent moves could create a cycle. */
export async function lockFolderTree(db: Queryable, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`folders of ${projectId}`}, 0))`.execute(db);
}

/** Path from the root to the folder itself; empty for the root. */
export async function findFolderPath(db: Queryable, projectId: string, id: string | null): Promise<Reference[]> {
  if (id === null) return [];
  const { rows } = await sql<Reference>`
    with recursive up (id, name, folder_id, depth) as (
      select id, name, folder_id, 1 from folders where project_id = ${projectId} and id = ${id}
      union all
      select parent.id, parent.name, parent.folder_id, up.depth + 1
      from folders parent join up on parent.id = up.folder_id
      where parent.project_id = ${projectId}
    ) cycle id set is_ring using ring
    select id, name from up where not is_ring order by depth desc
  `.execute(db);
  return rows;
}

export async function insertFolder(
  db: Queryable,
  folder: { projectId: string; folderId: string | null; name: string; createdBy: string },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('folders')
    .values({
      id,
      project_id: folder.projectId,
      folder_id: folder.folderId,
      name: folder.name,
      created_by: folder.createdBy,
    })
    .execute();
  return id;
}

export async function countFolderContent(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<{ folders: number; files: number }> {
  const count = async (table: 'folders' | 'files'): Promise<number> => {
    const { n } = await db
      .selectFrom(table)
      .select(sql<number>`count(*)::int`.as('n'))
      .where('project_id', '=', projectId)
      .where('folder_id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return n;
  };
  return { folders: await count('folders'), files: await count('files') };
}
