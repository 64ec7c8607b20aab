import { type Kysely, sql } from 'kysely';

/** Plans that stack target loci of several donors: a kind of run with a genotype of the parents and perhaps a map. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stacking_plans (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      description text,
      traits text[] not null,
      seed bigint not null,
      parameters jsonb not null default '{}',
      genotype_id uuid,
      linkage_map_id uuid,
      has_linkage_map boolean not null,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      check ((status = 'ERROR') = (error_extra is not null)),
      constraint stacking_plans_genotype_id foreign key (genotype_id, project_id)
        references files (id, project_id) on delete set null (genotype_id),
      constraint stacking_plans_linkage_map_id foreign key (linkage_map_id, project_id)
        references files (id, project_id) on delete set null (linkage_map_id)
    )
  `.execute(db);
  await sql`
    create unique index stacking_plans_name on stacking_plans (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index stacking_plans_project_id on stacking_plans (project_id, id)`.execute(db);
  await sql`create index stacking_plans_created_by on stacking_plans (created_by)`.execute(db);
  await sql`create index stacking_plans_deleted_at on stacking_plans (deleted_at) where deleted_at is not null`.execute(
    db,
  );
  for (const input of ['genotype', 'linkage_map'])
    await sql.raw(`create index stacking_plans_${input}_id on stacking_plans (${input}_id, project_id)`).execute(db);
  const kinds = ['file', 'model', 'prediction', 'gwas', 'trial_analysis', 'parentage_check', 'crossing_plan'];
  const names = sql.join(
    [...kinds, 'crossing_simulation', 'stacking_plan', 'programme', 'brapi_import', 'germplasm_upload'].map((kind) =>
      sql.lit(kind),
    ),
  );
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
