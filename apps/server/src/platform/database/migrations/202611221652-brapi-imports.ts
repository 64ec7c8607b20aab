import { type Kysely, sql } from 'kysely';

/** Data that a project takes from other BrAPI servers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table brapi_imports (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      url text not null check (length(url) <= 600),
      server_name text not null check (length(server_name) <= 255),
      -- Sealed with SECRET_KEY; null once the import has ended.
      token text,
      state text not null check (state in ('WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
      -- As in the contract, and which trials the germplasm is of.
      steps jsonb not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      finished_at timestamptz(3),
      check (finished_at is null or token is null)
    )
  `.execute(db);
  await sql`create index brapi_imports_project on brapi_imports (project_id, id desc)`.execute(db);
  await sql`create index brapi_imports_creator on brapi_imports (created_by)`.execute(db);
}
