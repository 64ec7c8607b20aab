import { type Kysely, sql } from 'kysely';

/** Decisions about lines: who is on the table, who marked what, the minutes, and the stages that lines reach. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table decisions (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      name text not null check (name <> '' and length(name) <= 255),
      description text,
      state text not null default 'OPEN' check (state in ('OPEN', 'CLOSED')),
      version integer not null default 1,
      source jsonb not null,
      settings jsonb not null,
      columns jsonb not null,
      -- Index and probabilities, by line.
      computed jsonb not null,
      -- Lower triangle of the relationships of the lines, 32-bit floats; null where none of them has parents.
      relationships bytea,
      line_count integer not null,
      -- Lines by outcome, and people who have marked: what lists show.
      counts jsonb not null,
      people integer not null default 0,
      -- Place of the last mark.
      last_mark integer not null default 0,
      list_id uuid references lists on delete set null,
      chair_id uuid references users on delete set null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      closed_at timestamptz(3),
      deleted_at timestamptz(3)
    )
  `.execute(db);
  await sql`
    create unique index decisions_name on decisions (project_id, lower(name)) where deleted_at is null
  `.execute(db);
  await sql`create index decisions_project on decisions (project_id, id)`.execute(db);
  await sql`create index decisions_list on decisions (list_id)`.execute(db);
  await sql`create index decisions_chair on decisions (chair_id)`.execute(db);
  await sql`create index decisions_creator on decisions (created_by)`.execute(db);
  await sql`
    create table decision_lines (
      decision_id uuid not null references decisions on delete cascade,
      number integer not null check (number >= 1),
      name text not null check (length(name) between 1 and 511),
      germplasm_id uuid references germplasm on delete set null,
      family text,
      -- By column of the decision.
      "values" double precision[] not null,
      ses double precision[] not null,
      reliabilities double precision[] not null,
      primary key (decision_id, number)
    )
  `.execute(db);
  await sql`create index decision_lines_germplasm on decision_lines (germplasm_id)`.execute(db);
  await sql`
    create table decision_marks (
      decision_id uuid not null,
      -- Made by whoever marked, so that the same may be sent twice.
      id uuid not null,
      version integer not null,
      place integer not null,
      line integer not null,
      mark text not null check (mark in ('ADVANCE', 'HOLD', 'DROP', 'UNDECIDED')),
      reason text not null check (length(reason) <= 1000),
      -- By the chair, for all.
      settles boolean not null,
      person_id uuid references users on delete set null,
      marked_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      primary key (decision_id, id),
      foreign key (decision_id, line) references decision_lines on delete cascade
    )
  `.execute(db);
  await sql`create unique index decision_marks_place on decision_marks (decision_id, place)`.execute(db);
  await sql`create index decision_marks_line on decision_marks (decision_id, line)`.execute(db);
  await sql`create index decision_marks_person on decision_marks (person_id)`.execute(db);
  await sql`
    create table decision_versions (
      decision_id uuid not null references decisions on delete cascade,
      version integer not null,
      minutes jsonb not null,
      closed_by uuid references users on delete set null,
      closed_at timestamptz(3) not null default now(),
      reopened_reason text check (length(reopened_reason) <= 1000),
      primary key (decision_id, version)
    )
  `.execute(db);
  await sql`create index decision_versions_closer on decision_versions (closed_by)`.execute(db);
  await sql`
    create table line_stages (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      germplasm_id uuid not null references germplasm on delete cascade,
      stage text not null check (length(stage) between 1 and 100),
      decision_id uuid references decisions on delete set null,
      set_by uuid references users on delete set null,
      set_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index line_stages_line on line_stages (project_id, germplasm_id, set_at)`.execute(db);
  await sql`create index line_stages_germplasm on line_stages (germplasm_id)`.execute(db);
  await sql`create index line_stages_decision on line_stages (decision_id)`.execute(db);
  await sql`create index line_stages_setter on line_stages (set_by)`.execute(db);
}
