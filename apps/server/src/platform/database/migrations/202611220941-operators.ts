import { type Kysely, sql } from 'kysely';

/** Operators of the installation, what they let each organization use, and what became of mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column is_operator boolean not null default false`.execute(db);
  // Null: the default of the configuration.
  await sql`
    alter table organizations
      add column storage_quota_bytes bigint check (storage_quota_bytes >= 0),
      add column run_quota integer check (run_quota >= 0)
  `.execute(db);
  await sql`
    alter table mail_outbox
      -- STORED: shown in the outbox and not sent. The text of all others is empty: it may have a secret link.
      add column state text not null default 'STORED' check (state in ('STORED', 'SENDING', 'SENT', 'FAILED')),
      add column attempts integer not null default 1,
      -- What the mail server or the connection to it said.
      add column error text,
      -- Name and payload of the job that sends it, for sending it again; null when no job does.
      add column job jsonb,
      add column updated_at timestamptz(3) not null default now()
  `.execute(db);
  await sql`create index runs_failed on runs (finished_at) where state = 'FAILED'`.execute(db);
}
