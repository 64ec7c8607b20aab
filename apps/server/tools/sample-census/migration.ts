import { type Kysely, sql } from 'kysely';
import type { DB } from '../../src/platform/database/schema.gen.ts';

/** What the migration of a new kind has: its table, and its name among those that a run may be for. */
export async function up(db: Kysely<DB>, kinds: readonly string[]): Promise<void> {
  await sql`
    create table sample_censuses (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      description text,
      traits text[] not null,
      seed bigint not null,
      parameters jsonb not null default '{}',
      genotype_id uuid,
      status text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'ERROR')),
      error_extra jsonb,
      report jsonb,
      result_keys jsonb not null default '{}',
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3),
      foreign key (genotype_id, project_id) references files (id, project_id) on delete set null (genotype_id)
    )
  `.execute(db);
  await sql`create unique index sample_censuses_name on sample_censuses (project_id, lower(name)) where deleted_at is null`.execute(
    db,
  );
  const names = sql.join(['file', ...kinds].map((kind) => sql.lit(kind)));
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
