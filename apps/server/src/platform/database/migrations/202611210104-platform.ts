import { type Kysely, sql } from 'kysely';

/** The platform's own tables: audit trail, mails, responses to repeated requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_events (
      id uuid primary key,
      -- Kept when the organization, project or person is gone.
      organization_id uuid references organizations on delete set null,
      project_id uuid references projects on delete set null,
      actor_id uuid references users on delete set null,
      actor_email text,
      -- For example "organization.member.role-changed".
      action text not null,
      target_type text,
      target_id text,
      details jsonb not null default '{}',
      request_id text,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index audit_events_organization_id on audit_events (organization_id, id)`.execute(db);
  await sql`create index audit_events_project_id on audit_events (project_id, id)`.execute(db);
  await sql`create index audit_events_actor_id on audit_events (actor_id)`.execute(db);

  await sql`
    create table mail_outbox (
      id uuid primary key,
      "to" text not null,
      subject text not null,
      text text not null,
      -- The link the mail is about, shown on the outbox page.
      link text,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index mail_outbox_to on mail_outbox ("to", id)`.execute(db);

  await sql`
    create table idempotency_keys (
      user_id uuid not null references users on delete cascade,
      key text not null,
      -- SHA-256 over method, address and body: the same key with another request is refused.
      fingerprint bytea not null,
      -- Null while the first request is still running.
      status integer,
      body text,
      content_type text,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, key)
    )
  `.execute(db);
  await sql`create index idempotency_keys_created_at on idempotency_keys (created_at)`.execute(db);
}
