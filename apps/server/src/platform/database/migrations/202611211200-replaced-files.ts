import { type Kysely, sql } from 'kysely';

/** The invalid file that the upload is to replace; step 3 of an upload checks only that it is still invalid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table uploads
      add column replaces uuid,
      add constraint uploads_replaces foreign key (replaces, project_id)
        references files (id, project_id) on delete set null (replaces)
  `.execute(db);
  await sql`create index uploads_replaces on uploads (replaces, project_id)`.execute(db);
}
