import { type Kysely, sql } from 'kysely';

/** The invalid file in whose place the upload is to stand; step 3 of an upload asks no more than that it still is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table uploads
      add column replaces uuid,
      add constraint uploads_replaces foreign key (replaces, project_id)
        references files (id, project_id) on delete set null (replaces)
  `.execute(db);
  await sql`create index uploads_replaces on uploads (replaces, project_id)`.execute(db);
}
