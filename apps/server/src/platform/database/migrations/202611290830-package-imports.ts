import { type Kysely, sql } from 'kysely';

/** Imports of data packages: each is worked on by a run, and holds its archive in the storage until it has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table package_imports (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> ''),
      storage_key text,
      size_bytes bigint not null,
      state text not null default 'WAITING' check (state in ('WAITING', 'RUNNING', 'DONE', 'FAILED')),
      report jsonb,
      error_extra jsonb,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3),
      check ((state = 'FAILED') = (error_extra is not null)),
      check ((state = 'DONE') = (report is not null))
    )
  `.execute(db);
  await sql`create index package_imports_project_id on package_imports (project_id, id)`.execute(db);
  await sql`create index package_imports_created_by on package_imports (created_by)`.execute(db);
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conname = 'runs_entity_kind' and conrelid = 'runs'::regclass
  `.execute(db);
  const kinds = [...(rows[0]?.definition ?? '').matchAll(/'([^']+)'::text/g)].map(([, kind = '']) => kind);
  const names = sql.join([...kinds, 'package_import'].map((kind) => sql.lit(kind)));
  await sql`alter table runs drop constraint runs_entity_kind`.execute(db);
  await sql`alter table runs add constraint runs_entity_kind check (entity_kind in (${names}))`.execute(db);
}
