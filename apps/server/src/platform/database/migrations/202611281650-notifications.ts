import { type Kysely, sql } from 'kysely';

/**
 * What people are told in the product. `source_id` is the run, invitation or mention, of which a person is told once.
 * `item_id` has no foreign key: it names rows of several tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      kind text not null,
      source_id uuid not null,
      project_id uuid references projects on delete cascade,
      organization_id uuid references organizations on delete cascade,
      item_kind text,
      item_id uuid,
      path text not null,
      details jsonb not null,
      created_at timestamptz(3) not null default now(),
      read_at timestamptz(3),
      unique (user_id, kind, source_id),
      check ((item_kind is null) = (item_id is null))
    )
  `.execute(db);
  await sql`create index notifications_user_id on notifications (user_id, id)`.execute(db);
  await sql`create index notifications_project_id on notifications (project_id)`.execute(db);
  await sql`create index notifications_organization_id on notifications (organization_id)`.execute(db);
  await sql`alter table users add column muted_notifications text[] not null default '{}'`.execute(db);
}
