import type { PackageReport } from '@heterosis/contracts/data/data-packages';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import type { ErrorExtra } from '../../work/runs/work/index.ts';
import { rootTables } from './packaged-tables.ts';

export interface PackageImportRow {
  id: string;
  project_id: string;
  organization_id: string;
  crop_id: string | null;
  name: string;
  /** Of the archive; null once the import has ended. */
  storage_key: string | null;
  size_bytes: number;
  state: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';
  report: PackageReport | null;
  error_extra: ErrorExtra | null;
  created_by: string | null;
  created_at: string;
  finished_at: string | null;
}

const selectImports = (db: Queryable, projectId: string) =>
  db
    .selectFrom('package_imports as i')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'i.project_id').on('projects.deleted_at', 'is', null),
    )
    .where('i.project_id', '=', projectId)
    .selectAll('i')
    .select(['projects.organization_id', 'projects.crop_id'])
    // JSON that only this feature writes.
    .$castTo<PackageImportRow>();

/** The newest first. */
export async function listImports(
  db: Queryable,
  projectId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<PackageImportRow[]> {
  return await selectImports(db, projectId)
    .$if(after !== undefined, (query) => query.where('i.id', '<', after ?? ''))
    .orderBy('i.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function findImport(db: Queryable, projectId: string, id: string): Promise<PackageImportRow | undefined> {
  return await selectImports(db, projectId).where('i.id', '=', id).executeTakeFirst();
}

export async function lockImport(
  trx: DatabaseTransaction,
  projectId: string,
  id: string,
): Promise<PackageImportRow | undefined> {
  return await selectImports(trx, projectId).where('i.id', '=', id).forUpdate('i').executeTakeFirst();
}

export async function insertImport(
  db: Queryable,
  row: Pick<PackageImportRow, 'id' | 'project_id' | 'name' | 'storage_key' | 'size_bytes' | 'created_by'>,
): Promise<void> {
  await db.insertInto('package_imports').values(row).execute();
}

export async function updateImport(
  db: Queryable,
  projectId: string,
  id: string,
  {
    report,
    error_extra,
    ...changes
  }: Partial<Pick<PackageImportRow, 'state' | 'storage_key' | 'report' | 'error_extra' | 'finished_at'>>,
): Promise<void> {
  await db
    .updateTable('package_imports')
    .set({
      ...changes,
      ...(report === undefined ? {} : { report: JSON.stringify(report) }),
      ...(error_extra === undefined ? {} : { error_extra: JSON.stringify(error_extra) }),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

/**
 * Whether a project holds nothing that a package brings, not even in the bin. Locks the project, so that two imports
 * come one after the other.
 */
export async function lockEmptyProject(trx: DatabaseTransaction, projectId: string): Promise<boolean> {
  await sql`select from projects where id = ${projectId} for update`.execute(trx);
  for (const table of rootTables) {
    // The check of a file that was deleted for good is nothing.
    if (table === 'runs') continue;
    const { rows } = await sql`select from ${sql.table(table)} where project_id = ${projectId} limit 1`.execute(trx);
    if (rows.length > 0) return false;
  }
  return true;
}

export async function hasOpenImport(trx: DatabaseTransaction, projectId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('package_imports')
    .select('id')
    .where('project_id', '=', projectId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** How far the run of each import is. */
export async function listProgress(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, { done: number; total: number }>> {
  const rows = await db
    .selectFrom('runs')
    .select(['entity_id', 'progress_done', 'progress_total'])
    .where('project_id', '=', projectId)
    .where('entity_kind', '=', 'package_import')
    .where('finished_at', 'is', null)
    .where('entity_id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ entity_id, progress_done: done, progress_total: total }) => [entity_id, { done, total }]));
}
