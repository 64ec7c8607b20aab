import { type Kysely, sql } from 'kysely';

/** How an organization reads tables whose columns are not recognised, by their header. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table table_mappings (
      organization_id uuid not null references organizations on delete cascade,
      file_type text not null check (file_type in ('PHENOTYPE', 'CROSSING_TABLE', 'LINKAGE_MAP', 'PEDIGREE')),
      -- SHA-256 of the header.
      signature text not null check (length(signature) = 64),
      header text[] not null check (cardinality(header) between 1 and 1000),
      mapping jsonb not null,
      missing_codes text[] not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (organization_id, file_type, signature)
    )
  `.execute(db);
  await sql`create index table_mappings_created_by on table_mappings (created_by)`.execute(db);
}
