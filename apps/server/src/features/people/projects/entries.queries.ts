import type { RunPath } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** Tables of what members add to a project: every row has a name and an author, and can be deleted and restored. */
export type EntryTable = 'folders' | 'files' | 'trials' | 'photos' | 'decisions' | RunPath;

/** Locks the entry until the end of the transaction; false when it does not exist or is in the bin. */
export async function lockEntry(db: Queryable, table: EntryTable, projectId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export interface EntryChange {
  name?: string | undefined;
  /** Every entry except a folder has one. */
  description?: string | null | undefined;
  /** Folders and files have one. */
  folder_id?: string | null | undefined;
}

/** Undefined fields stay unchanged. */
export async function updateEntry(
  db: Queryable,
  table: EntryTable,
  { projectId, id }: { projectId: string; id: string },
  change: EntryChange,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  await db
    .updateTable(table)
    .set({ ...given, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

/** Moves the entry to the bin. */
export async function updateEntryDeleted(
  db: Queryable,
  table: EntryTable,
  projectId: string,
  id: string,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ deleted_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

/** A pattern for `ilike` that finds the text anywhere. Wildcards in the text are escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
