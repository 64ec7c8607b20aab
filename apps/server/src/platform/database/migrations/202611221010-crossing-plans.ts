import { type Kysely, sql } from 'kysely';

/** Plans of crosses: a kind of run with a model, a genotype, and perhaps a linkage map and a table of crosses made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table crossing_plans (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      description text,
      traits text[] not null,
      seed bigint not null,
      parameters jsonb not null default '{}',
      model_id uuid,
      genotype_id uuid,
      crossing_table_id uuid,
      linkage_map_id uuid,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      check ((status = 'ERROR') = (error_extra is not null)),
      constraint crossing_plans_model_id foreign key (model_id, project_id)
        references models (id, project_id) on delete set null (model_id),
      constraint crossing_plans_genotype_id foreign key (genotype_id, project_id)
        references files (id, project_id) on delete set null (genotype_id),
      constraint crossing_plans_crossing_table_id foreign key (crossing_table_id, project_id)
        references files (id, project_id) on delete set null (crossing_table_id),
      constraint crossing_plans_linkage_map_id foreign key (linkage_map_id, project_id)
        references files (id, project_id) on delete set null (linkage_map_id)
    )
  `.execute(db);
  await sql`
    create unique index crossing_plans_name on crossing_plans (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index crossing_plans_project_id on crossing_plans (project_id, id)`.execute(db);
  await sql`create index crossing_plans_created_by on crossing_plans (created_by)`.execute(db);
  await sql`create index crossing_plans_deleted_at on crossing_plans (deleted_at) where deleted_at is not null`.execute(
    db,
  );
  for (const input of ['model', 'genotype', 'crossing_table', 'linkage_map'])
    await sql.raw(`create index crossing_plans_${input}_id on crossing_plans (${input}_id, project_id)`).execute(db);
  const kinds = ['file', 'model', 'prediction', 'gwas', 'crossing_plan', 'crossing_simulation'];
  const names = sql.join(kinds.map((kind) => sql.lit(kind)));
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
