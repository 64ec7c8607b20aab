import { type Kysely, sql } from 'kysely';

/** Columns for finding and resuming a multipart upload. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table uploads
      -- What the sender means to make of it; step 3 decides.
      add column name text,
      add column folder_id uuid,
      add column file_type text check (file_type in ('GENOTYPE', 'PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP')),
      -- By which the sender knows the file again.
      add column fingerprint text,
      -- Size of its parts but the last; null until the first was asked for.
      add column part_bytes integer check (part_bytes > 0),
      add constraint uploads_folder foreign key (folder_id, project_id)
        references folders (id, project_id) on delete set null (folder_id)
  `.execute(db);
  await sql`create index uploads_folder on uploads (folder_id, project_id)`.execute(db);
}
