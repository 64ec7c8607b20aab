import { type Kysely, sql } from 'kysely';

/** The columns of an uploaded germplasm file may be mapped; until it is accepted its bytes stay, to be read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table germplasm_uploads
      add column is_read boolean not null default false,
      -- How its columns are read; null: they are found.
      add column mapping jsonb,
      -- The organization kept the mapping from an earlier file.
      add column is_mapping_kept boolean not null default false,
      add column first_rows jsonb
  `.execute(db);
  await sql`update germplasm_uploads set is_read = storage_key is null`.execute(db);
  await sql`
    alter table table_mappings
      drop constraint table_mappings_file_type_check,
      add constraint table_mappings_file_type_check
        check (file_type in ('PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP', 'PEDIGREE', 'GERMPLASM'))
  `.execute(db);
}
