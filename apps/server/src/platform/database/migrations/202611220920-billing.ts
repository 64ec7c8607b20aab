import { type Kysely, sql } from 'kysely';

/** Subscriptions of organizations, how they came about, their invoices, and what the payment service has reported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Here too, because every request of the organization asks for it.
  await sql`
    alter table organizations add column billing_state text not null default 'active'
      check (billing_state in ('active', 'past_due', 'cancelled'))
  `.execute(db);
  await sql`
    create unique index organizations_subscription_id on organizations (subscription_id) where subscription_id is not null
  `.execute(db);

  await sql`
    create table subscriptions (
      -- Of the payment service, or made by us.
      id text primary key,
      organization_id uuid not null references organizations on delete cascade,
      -- Null without a payment service.
      customer_id text,
      price_id text not null,
      nickname text,
      -- Of one seat for a year, in the smallest unit of the currency.
      unit_amount bigint not null check (unit_amount >= 0),
      currency text not null,
      quantity integer not null check (quantity > 0),
      state text not null check (state in ('active', 'past_due', 'cancelled')),
      current_period_end timestamptz(3) not null,
      cancel_at_period_end boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index subscriptions_organization_id on subscriptions (organization_id)`.execute(db);

  await sql`
    create table checkouts (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      -- Null for a new organization, until it is made.
      organization_id uuid references organizations on delete cascade,
      price_id text not null,
      -- Of the payment service.
      session_id text unique,
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index checkouts_user_id on checkouts (user_id)`.execute(db);
  await sql`create index checkouts_organization_id on checkouts (organization_id)`.execute(db);

  // Only without a payment service, which keeps its own.
  await sql`
    create table invoices (
      id uuid primary key,
      organization_id uuid not null references organizations on delete cascade,
      number integer generated always as identity,
      description text not null,
      -- Negative for a credit.
      amount bigint not null,
      currency text not null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index invoices_organization_id on invoices (organization_id, id)`.execute(db);

  await sql`
    create table billing_events (
      -- Of the payment service; an event that is here was dealt with.
      id text primary key,
      type text not null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
}
