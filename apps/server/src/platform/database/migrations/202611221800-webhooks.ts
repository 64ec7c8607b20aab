import { type Kysely, sql } from 'kysely';

/** Addresses that an organization is called at when something has happened, and the log of the calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      name text not null check (length(name) between 1 and 255),
      url text not null check (length(url) <= 2000),
      events text[] not null,
      -- Sealed with SECRET_KEY.
      secret text not null,
      is_active boolean not null default true,
      failing_since timestamptz(3),
      switched_off_at timestamptz(3),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      unique (id, organization_id)
    )
  `.execute(db);
  await sql`create index webhooks_organization on webhooks (organization_id, id)`.execute(db);
  await sql`create index webhooks_creator on webhooks (created_by)`.execute(db);
  await sql`
    create table webhook_deliveries (
      id uuid primary key,
      webhook_id uuid not null,
      organization_id uuid not null,
      event text not null,
      -- What happened, so that it is told once.
      event_key text not null check (length(event_key) <= 200),
      -- What is sent, to the byte.
      body text not null,
      state text not null default 'WAITING' check (state in ('WAITING', 'DELIVERED', 'FAILED')),
      attempts integer not null default 0,
      status integer,
      error text,
      took_ms integer,
      created_at timestamptz(3) not null default now(),
      tried_at timestamptz(3),
      next_try_at timestamptz(3),
      constraint webhook_deliveries_webhook foreign key (webhook_id, organization_id)
        references webhooks (id, organization_id) on delete cascade,
      unique (webhook_id, event_key)
    )
  `.execute(db);
  await sql`create index webhook_deliveries_list on webhook_deliveries (webhook_id, organization_id, id desc)`.execute(
    db,
  );
  await sql`create index webhook_deliveries_created on webhook_deliveries (created_at)`.execute(db);
}
