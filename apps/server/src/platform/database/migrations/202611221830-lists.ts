import { type Kysely, sql } from 'kysely';

/** Lists of lines or markers that are kept with a project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lists (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      kind text not null check (kind in ('germplasm', 'markers')),
      name text not null check (name <> '' and length(name) <= 255),
      description text,
      -- By name, in the order of the list, each once: what a list names need not be in the germplasm list.
      members text[] not null check (cardinality(members) <= 20000),
      size integer generated always as (cardinality(members)) stored,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create unique index lists_name on lists (project_id, kind, lower(name))`.execute(db);
  await sql`create index lists_creator on lists (created_by)`.execute(db);
}
