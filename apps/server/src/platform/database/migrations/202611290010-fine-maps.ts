import { type Kysely, sql } from 'kysely';

/** Regions of a GWAS that are fine-mapped; the work is a run of the GWAS of the same id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gwas_fine_maps (
      id uuid primary key,
      gwas_id uuid not null references gwas (id) on delete cascade,
      trait text not null,
      chr text not null,
      start_bp double precision not null,
      end_bp double precision not null check (end_bp >= start_bp),
      effects integer not null,
      coverage double precision not null,
      result jsonb,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index gwas_fine_maps_gwas on gwas_fine_maps (gwas_id, created_at desc)`.execute(db);
}
