import { type Kysely, sql } from 'kysely';

/** Programmes that were started in the field. A scheme says what its steps are; rows say what people did of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table programme_plans (
      programme_id uuid primary key references programmes on delete cascade,
      project_id uuid not null references projects on delete cascade,
      scheme_place integer not null,
      scheme jsonb not null,
      founders integer not null,
      starts_on date not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index programme_plans_project_id on programme_plans (project_id)`.execute(db);
  await sql`create index programme_plans_created_by on programme_plans (created_by)`.execute(db);
  await sql`
    create table programme_plan_steps (
      programme_id uuid not null references programme_plans on delete cascade,
      step text not null,
      state text not null default 'PLANNED' check (state in ('PLANNED', 'DONE', 'SKIPPED')),
      due_on date,
      note text not null default '',
      primary key (programme_id, step)
    )
  `.execute(db);
  await sql`
    create table programme_plan_links (
      id uuid primary key,
      programme_id uuid not null references programme_plans on delete cascade,
      step text not null,
      kind text not null,
      item_id uuid not null,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      unique (programme_id, step, kind, item_id)
    )
  `.execute(db);
  await sql`create index programme_plan_links_created_by on programme_plan_links (created_by)`.execute(db);
}
