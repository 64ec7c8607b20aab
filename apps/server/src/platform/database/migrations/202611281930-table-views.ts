import { type Kysely, sql } from 'kysely';

/** Views of tables under a name. Without an owner they are shared with the project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table table_views (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      table_name text not null,
      name text not null check (name <> '' and length(name) <= 255),
      content jsonb not null,
      -- A shared view outlives its author's account; a view of one's own goes with it.
      owner_id uuid references users on delete cascade,
      created_by uuid references users on delete set null,
      is_default boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`
    create unique index table_views_name on table_views (project_id, table_name, owner_id, lower(name))
    nulls not distinct
  `.execute(db);
  await sql`
    create unique index table_views_default on table_views (project_id, table_name, owner_id)
    nulls not distinct where is_default
  `.execute(db);
  await sql`create index table_views_owner on table_views (owner_id)`.execute(db);
  await sql`create index table_views_creator on table_views (created_by)`.execute(db);
}
