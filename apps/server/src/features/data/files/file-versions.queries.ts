import type { FileVersions } from '@heterosis/contracts/data/files';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** The number of the latest version of a file; 0 without one. */
export async function latestVersion(db: Queryable, fileId: string): Promise<number> {
  const row = await db
    .selectFrom('file_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('version_of', '=', fileId)
    .executeTakeFirst();
  return row?.version ?? 0;
}

export async function insertVersion(
  db: Queryable,
  version: { file_id: string; version_of: string; version: number; revision: number },
): Promise<void> {
  await db.insertInto('file_versions').values(version).execute();
}

/** The versions of a file, or of the file of which it is one, the newest first; null for a file that has none. */
export async function findVersions(db: Queryable, projectId: string, fileId: string): Promise<FileVersions | null> {
  const { rows } = await sql<{ id: string; name: string; version: number; created_at: string }>`
    with origin as (
      select coalesce((select version_of from file_versions where file_id = ${fileId}), ${fileId}) as id
    )
    select f.id, f.name, coalesce(v.version, 0) as version, f.created_at
    from origin
    join files as f on f.id = origin.id or f.id in (select file_id from file_versions where version_of = origin.id)
    left join file_versions as v on v.file_id = f.id
    where f.project_id = ${projectId} and f.deleted_at is null
    order by version desc
  `.execute(db);
  if (!rows.some(({ version }) => version > 0)) return null;
  return rows.map(({ id, name, version, created_at }) => ({ file: { id, name }, version, created_at }));
}
