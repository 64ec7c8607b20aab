import { type Kysely, sql } from 'kysely';

/**
 * Simulations of breeding programmes: a kind of run with a genotype of founders, perhaps a map, and a model or an
 * architecture. What replicates measure is kept while the run is under way, so that it goes on after a kill.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table programmes (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      description text,
      traits text[] not null,
      seed bigint not null,
      parameters jsonb not null default '{}',
      genotype_id uuid,
      linkage_map_id uuid,
      model_id uuid,
      has_linkage_map boolean not null,
      has_model boolean not null,
      -- Of each scheme what the values of its replicates are of; null until the first replicate has ended.
      measured jsonb,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      check ((status = 'ERROR') = (error_extra is not null)),
      constraint programmes_genotype_id foreign key (genotype_id, project_id)
        references files (id, project_id) on delete set null (genotype_id),
      constraint programmes_linkage_map_id foreign key (linkage_map_id, project_id)
        references files (id, project_id) on delete set null (linkage_map_id),
      constraint programmes_model_id foreign key (model_id, project_id)
        references models (id, project_id) on delete set null (model_id)
    )
  `.execute(db);
  await sql`
    create table programme_replicates (
      programme_id uuid not null references programmes on delete cascade,
      scheme integer not null,
      replicate integer not null,
      -- Another version may draw other numbers.
      software_version text not null,
      values double precision[] not null,
      primary key (programme_id, scheme, replicate)
    )
  `.execute(db);
  await sql`
    create unique index programmes_name on programmes (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index programmes_project_id on programmes (project_id, id)`.execute(db);
  await sql`create index programmes_created_by on programmes (created_by)`.execute(db);
  await sql`create index programmes_deleted_at on programmes (deleted_at) where deleted_at is not null`.execute(db);
  for (const input of ['genotype', 'linkage_map', 'model'])
    await sql.raw(`create index programmes_${input}_id on programmes (${input}_id, project_id)`).execute(db);
  const kinds = ['file', 'model', 'prediction', 'gwas', 'trial_analysis', 'parentage_check', 'crossing_plan'];
  const names = sql.join(
    [...kinds, 'crossing_simulation', 'programme', 'brapi_import', 'germplasm_upload'].map((kind) => sql.lit(kind)),
  );
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
