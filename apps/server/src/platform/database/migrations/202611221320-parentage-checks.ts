import { type Kysely, sql } from 'kysely';

/** Parentage checks: a kind of run with a genotype and perhaps a pedigree file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table parentage_checks (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      description text,
      traits text[] not null,
      seed bigint not null,
      parameters jsonb not null default '{}',
      genotype_id uuid,
      pedigree_id uuid,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      check ((status = 'ERROR') = (error_extra is not null)),
      constraint parentage_checks_genotype_id foreign key (genotype_id, project_id)
        references files (id, project_id) on delete set null (genotype_id),
      constraint parentage_checks_pedigree_id foreign key (pedigree_id, project_id)
        references files (id, project_id) on delete set null (pedigree_id)
    )
  `.execute(db);
  await sql`
    create unique index parentage_checks_name on parentage_checks (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index parentage_checks_project_id on parentage_checks (project_id, id)`.execute(db);
  await sql`create index parentage_checks_created_by on parentage_checks (created_by)`.execute(db);
  await sql`
    create index parentage_checks_deleted_at on parentage_checks (deleted_at) where deleted_at is not null
  `.execute(db);
  for (const input of ['genotype', 'pedigree'])
    await sql
      .raw(`create index parentage_checks_${input}_id on parentage_checks (${input}_id, project_id)`)
      .execute(db);
  const kinds = ['file', 'model', 'prediction', 'gwas', 'parentage_check', 'crossing_plan', 'crossing_simulation'];
  const names = sql.join(kinds.map((kind) => sql.lit(kind)));
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
