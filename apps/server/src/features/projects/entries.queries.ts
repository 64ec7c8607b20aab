import type { RunPath } from '@heterosis/contracts/run-kinds';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';

/** What members put into a project: every row has a name, an author and a bin. */
export type EntryTable = 'folders' | 'files' | RunPath;

/** Holds the entry until the transaction ends; false when it is gone. */
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
  /** Of everything but folders. */
  description?: string | null | undefined;
  /** Of folders and files. */
  folder_id?: string | null | undefined;
}

/** What is undefined stays as it is. */
export async function updateEntry(
  db: Queryable,
  table: EntryTable,
  projectId: string,
  id: string,
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

/** Puts the entry into the bin. */
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

/** A pattern for `ilike` that finds a text anywhere, with nothing in it taken for a wildcard. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
