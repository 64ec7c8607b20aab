import { type Kysely, sql } from 'kysely';

/**
 * Models, predictions, GWAS, crossing simulations and their runs.
 *
 * The entity holds the user's request. Everything kept per trait (status, error, results) is one row of model_traits
 * or gwas_traits; predictions and crossing simulations have one status for all their traits. `runs` records the work:
 * one row per entity, trait and stage ("kind"), written by the job that does it. The status shown to users is on the
 * entity or its trait row and changes through one function of the feature; the run is progress and provenance.
 *
 * Deleting a file sets genotype_id of its models to null; their results are kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw(`
    id uuid primary key,
    project_id uuid not null references projects on delete cascade,
    name text not null check (name <> ''),
    description text,
    traits text[] not null check (cardinality(traits) > 0),
    seed bigint not null,
    -- What else was asked for (thresholds, kinship, renames): passed to the analysis as it is.
    parameters jsonb not null default '{}',
    created_by uuid references users on delete set null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    deleted_at timestamptz(3),
    unique (id, project_id)
  `);
  const fileKey = (table: string, column: string) =>
    sql.raw(`constraint ${table}_${column} foreign key (${column}, project_id)
      references files (id, project_id) on delete set null (${column})`);

  await sql`
    create table models (
      ${columns},
      model_type text not null default 'RRBLUP' check (model_type in ('RRBLUP')),
      genotype_id uuid,
      phenotype_id uuid,
      n_fold integer not null check (n_fold >= 2),
      n_repetition integer not null check (n_repetition >= 1),
      optimize_time double precision,
      include_dominance_effects boolean not null default false,
      ${fileKey('models', 'genotype_id')},
      ${fileKey('models', 'phenotype_id')}
    )
  `.execute(db);

  await sql`
    create table model_traits (
      model_id uuid not null references models on delete cascade,
      trait text not null,
      status text not null default 'TRAINING'
        check (status in ('TRAINING', 'TRAINED', 'EVALUATING', 'EVALUATED', 'ERROR')),
      -- code, message, suggestion and figures; a map of strings.
      error_extra jsonb,
      evaluation jsonb,
      variance jsonb,
      fit jsonb,
      -- Kind of result → storage key.
      result_keys jsonb not null default '{}',
      updated_at timestamptz(3) not null default now(),
      primary key (model_id, trait),
      check ((status = 'ERROR') = (error_extra is not null))
    )
  `.execute(db);

  await sql`
    create table predictions (
      ${columns},
      genotype_id uuid,
      model_id uuid,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      check ((status = 'ERROR') = (error_extra is not null)),
      ${fileKey('predictions', 'genotype_id')},
      constraint predictions_model_id foreign key (model_id, project_id)
        references models (id, project_id) on delete set null (model_id)
    )
  `.execute(db);

  await sql`
    create table gwas (
      ${columns},
      genotype_id uuid,
      phenotype_id uuid,
      test text not null check (test in ('LRT', 'WALD', 'SCORE')),
      fixed integer not null default 0 check (fixed >= 0),
      thresh_maf double precision not null check (thresh_maf between 0 and 0.5),
      thresh_callrate double precision not null check (thresh_callrate between 0 and 1),
      ${fileKey('gwas', 'genotype_id')},
      ${fileKey('gwas', 'phenotype_id')}
    )
  `.execute(db);

  await sql`
    create table gwas_traits (
      gwas_id uuid not null references gwas on delete cascade,
      trait text not null,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      summary jsonb,
      -- In natural order.
      chromosomes text[] not null default '{}',
      result_keys jsonb not null default '{}',
      updated_at timestamptz(3) not null default now(),
      primary key (gwas_id, trait),
      check ((status = 'ERROR') = (error_extra is not null))
    )
  `.execute(db);

  await sql`
    create table crossing_simulations (
      ${columns},
      model_id uuid,
      genotype_id uuid,
      crossing_table_id uuid,
      linkage_map_id uuid,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      check ((status = 'ERROR') = (error_extra is not null)),
      ${fileKey('crossing_simulations', 'genotype_id')},
      ${fileKey('crossing_simulations', 'crossing_table_id')},
      ${fileKey('crossing_simulations', 'linkage_map_id')},
      constraint crossing_simulations_model_id foreign key (model_id, project_id)
        references models (id, project_id) on delete set null (model_id)
    )
  `.execute(db);

  for (const table of ['models', 'predictions', 'gwas', 'crossing_simulations']) {
    await sql
      .raw(`create unique index ${table}_name on ${table} (project_id, lower(name)) where deleted_at is null`)
      .execute(db);
    await sql.raw(`create index ${table}_project_id on ${table} (project_id, id)`).execute(db);
    await sql.raw(`create index ${table}_created_by on ${table} (created_by)`).execute(db);
    await sql.raw(`create index ${table}_deleted_at on ${table} (deleted_at) where deleted_at is not null`).execute(db);
  }
  const references: [string, string][] = [
    ['models', 'genotype_id'],
    ['models', 'phenotype_id'],
    ['predictions', 'genotype_id'],
    ['predictions', 'model_id'],
    ['gwas', 'genotype_id'],
    ['gwas', 'phenotype_id'],
    ['crossing_simulations', 'model_id'],
    ['crossing_simulations', 'genotype_id'],
    ['crossing_simulations', 'crossing_table_id'],
    ['crossing_simulations', 'linkage_map_id'],
  ];
  for (const [table, column] of references)
    await sql.raw(`create index ${table}_${column} on ${table} (${column}, project_id)`).execute(db);

  await sql`
    create table runs (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      -- What the run is for: exactly one.
      file_id uuid references files on delete cascade,
      model_id uuid references models on delete cascade,
      prediction_id uuid references predictions on delete cascade,
      gwas_id uuid references gwas on delete cascade,
      crossing_simulation_id uuid references crossing_simulations on delete cascade,
      -- Null when the run serves all traits.
      trait text,
      kind text not null
        check (kind in ('import', 'train', 'evaluate', 'predict', 'gwas', 'crossing', 'phase', 'convert')),
      state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
      stage text not null default 'queued',
      progress_done double precision not null default 0,
      progress_total double precision not null default 0,
      -- Counts how often the work was taken up; an older attempt that is still writing changes nothing.
      attempt integer not null default 0,
      -- Queue and id of the job that does the work, for cancelling it.
      job_queue text,
      job_id uuid,
      seed bigint,
      parameters jsonb not null default '{}',
      -- Role of the input → SHA-256 of the original.
      input_sha256 jsonb not null default '{}',
      software_version text not null,
      error_code text,
      error_extra jsonb,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3),
      check (num_nonnulls(file_id, model_id, prediction_id, gwas_id, crossing_simulation_id) = 1),
      check ((state = 'FAILED') = (error_code is not null)),
      check ((state in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (finished_at is not null))
    )
  `.execute(db);
  for (const column of ['file_id', 'model_id', 'prediction_id', 'gwas_id', 'crossing_simulation_id'])
    await sql.raw(`create index runs_${column} on runs (${column}, id) where ${column} is not null`).execute(db);
  await sql`create index runs_project_id on runs (project_id, id)`.execute(db);
  await sql`create index runs_unfinished on runs (state, updated_at) where finished_at is null`.execute(db);
}
