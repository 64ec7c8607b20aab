import { type Kysely, sql } from 'kysely';

/**
 * Lists of files and folders are ordered by name and id, so that a page is read from the index in a project of any
 * size.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['files', 'folders'])
    await sql
      .raw(`create index ${table}_by_name on ${table} (project_id, lower(name), id) where deleted_at is null`)
      .execute(db);
}
