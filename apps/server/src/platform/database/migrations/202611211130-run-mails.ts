import { type Kysely, sql } from 'kysely';

/**
 * Who requested a run and when, when its stage began, and the mails about its end. Earlier runs have no recipient.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table runs
      add column requested_by uuid references users on delete set null,
      -- An evaluation was asked for with its training.
      add column requested_at timestamptz(3) not null default now(),
      add column stage_started_at timestamptz(3)
  `.execute(db);
  await sql`create index runs_requested_by on runs (requested_by)`.execute(db);
  // Null: no mail at the end of a run.
  await sql`alter table users add column run_mail_minutes integer check (run_mail_minutes between 5 and 1440)`.execute(
    db,
  );
  await sql`
    create table run_mails (
      -- One run is told of once, however often its end is written.
      run_id uuid primary key references runs on delete cascade,
      project_id uuid not null references projects on delete cascade,
      user_id uuid not null references users on delete cascade,
      subject text not null,
      text text not null,
      link text not null,
      created_at timestamptz(3) not null default now(),
      -- Null until it was given to the mail server.
      sent_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index run_mails_project_id on run_mails (project_id)`.execute(db);
  await sql`create index run_mails_user_id on run_mails (user_id)`.execute(db);
}
