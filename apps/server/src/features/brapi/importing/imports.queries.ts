import type { ImportStep } from '@heterosis/contracts/data/brapi-import';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

export interface ImportRow {
  id: string;
  project_id: string;
  organization_id: string;
  url: string;
  server_name: string;
  /** Sealed. */
  token: string | null;
  state: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';
  steps: StoredStep[];
  created_by: string | null;
  creator: string | null;
  created_at: string;
  finished_at: string | null;
}

/** A step with what its work needs. */
export interface StoredStep extends ImportStep {
  /** Of germplasm: the trials that it is of; none: everything. */
  trials?: string[];
}

const selectImports = (db: Queryable, projectId: string) =>
  db
    .selectFrom('brapi_imports as i')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'i.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'i.created_by')
    .where('i.project_id', '=', projectId)
    .selectAll('i')
    .select('projects.organization_id')
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'))
    // The steps are JSON that only this feature writes.
    .$castTo<ImportRow>();

/** The newest first. */
export async function listImports(
  db: Queryable,
  projectId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ImportRow[]> {
  return await selectImports(db, projectId)
    .$if(after !== undefined, (query) => query.where('i.id', '<', after ?? ''))
    .orderBy('i.id', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function findImport(db: Queryable, projectId: string, id: string): Promise<ImportRow | undefined> {
  return await selectImports(db, projectId).where('i.id', '=', id).executeTakeFirst();
}

export async function lockImport(
  trx: DatabaseTransaction,
  projectId: string,
  id: string,
): Promise<ImportRow | undefined> {
  return await selectImports(trx, projectId).where('i.id', '=', id).forUpdate('i').executeTakeFirst();
}

export async function insertImport(
  db: Queryable,
  row: Pick<ImportRow, 'id' | 'project_id' | 'url' | 'server_name' | 'token' | 'steps'> & { created_by: string },
): Promise<void> {
  await db
    .insertInto('brapi_imports')
    .values({ ...row, state: 'WAITING', steps: JSON.stringify(row.steps) })
    .execute();
}

export async function updateImport(
  db: Queryable,
  projectId: string,
  id: string,
  { steps, ...changes }: Partial<Pick<ImportRow, 'state' | 'token' | 'steps' | 'finished_at'>>,
): Promise<void> {
  await db
    .updateTable('brapi_imports')
    .set({ ...changes, ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }) })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}
