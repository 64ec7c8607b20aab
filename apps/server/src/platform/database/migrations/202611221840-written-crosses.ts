import { type Kysely, sql } from 'kysely';

/** Crossing projects, planned crosses and crosses that BrAPI clients write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table crossing_projects (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (length(name) between 1 and 255),
      description text check (length(description) <= 2000),
      additional_info jsonb not null,
      external_references jsonb not null,
      -- Counts the writes of planned crosses; the last one of which a crossing table was made.
      revision integer not null default 0,
      filed_revision integer not null default 0,
      changed_at timestamptz(3) not null default now(),
      changed_by uuid references users on delete set null
    )
  `.execute(db);
  await sql`create index crossing_projects_project on crossing_projects (project_id, id)`.execute(db);
  await sql`create index crossing_projects_changed_by on crossing_projects (changed_by)`.execute(db);
  await sql`
    create table planned_crosses (
      id uuid primary key,
      crossing_project_id uuid not null references crossing_projects on delete cascade,
      name text not null check (length(name) <= 600),
      cross_type text not null check (length(cross_type) <= 40),
      status text not null check (length(status) <= 40),
      female text not null check (length(female) between 1 and 255),
      -- Null: whatever pollen there is.
      male text check (length(male) between 1 and 255),
      additional_info jsonb not null,
      external_references jsonb not null
    )
  `.execute(db);
  await sql`create index planned_crosses_project on planned_crosses (crossing_project_id, id)`.execute(db);
  await sql`
    create table made_crosses (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      -- A crossing project that was written, or a crossing table.
      crossing_project text not null check (length(crossing_project) <= 60),
      planned_cross text check (length(planned_cross) <= 60),
      name text not null check (length(name) <= 600),
      cross_type text not null check (length(cross_type) <= 40),
      female text not null check (length(female) between 1 and 255),
      male text check (length(male) between 1 and 255),
      pollination_events jsonb not null,
      cross_attributes jsonb not null,
      additional_info jsonb not null,
      external_references jsonb not null
    )
  `.execute(db);
  await sql`create index made_crosses_project on made_crosses (project_id, id)`.execute(db);
  await sql`
    create table crossing_project_files (
      file_id uuid primary key references files on delete cascade,
      crossing_project_id uuid not null references crossing_projects on delete cascade,
      version integer not null check (version >= 1),
      unique (crossing_project_id, version)
    )
  `.execute(db);
}
