import { type Kysely, sql } from 'kysely';

/** Trial analyses: a kind of run on several phenotype files, perhaps with a genotype and a pedigree. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trial_analyses (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      description text,
      traits text[] not null,
      seed bigint not null,
      parameters jsonb not null default '{}',
      -- The files of some trials may be deleted while the others stay, so no foreign key.
      phenotype_ids uuid[] not null check (cardinality(phenotype_ids) > 0),
      genotype_id uuid,
      pedigree_id uuid,
      has_genotype boolean not null,
      has_pedigree boolean not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      constraint trial_analyses_genotype_id foreign key (genotype_id, project_id)
        references files (id, project_id) on delete set null (genotype_id),
      constraint trial_analyses_pedigree_id foreign key (pedigree_id, project_id)
        references files (id, project_id) on delete set null (pedigree_id)
    )
  `.execute(db);
  await sql`
    create table trial_analysis_traits (
      trial_analysis_id uuid not null references trial_analyses on delete cascade,
      trait text not null,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      summary jsonb,
      result_keys jsonb not null default '{}',
      updated_at timestamptz(3) not null default now(),
      primary key (trial_analysis_id, trait),
      check ((status = 'ERROR') = (error_extra is not null))
    )
  `.execute(db);
  await sql`
    create unique index trial_analyses_name on trial_analyses (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index trial_analyses_project_id on trial_analyses (project_id, id)`.execute(db);
  await sql`create index trial_analyses_created_by on trial_analyses (created_by)`.execute(db);
  await sql`
    create index trial_analyses_deleted_at on trial_analyses (deleted_at) where deleted_at is not null
  `.execute(db);
  await sql`create index trial_analyses_phenotype_ids on trial_analyses using gin (phenotype_ids)`.execute(db);
  for (const input of ['genotype', 'pedigree'])
    await sql.raw(`create index trial_analyses_${input}_id on trial_analyses (${input}_id, project_id)`).execute(db);
  const kinds = ['file', 'model', 'prediction', 'gwas', 'trial_analysis', 'parentage_check', 'crossing_plan'];
  const names = sql.join([...kinds, 'crossing_simulation', 'brapi_import'].map((kind) => sql.lit(kind)));
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
