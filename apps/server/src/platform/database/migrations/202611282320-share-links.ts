import { type Kysely, sql } from 'kysely';

/**
 * Links that show one result without an account. `entity_id` has no foreign key: it names rows of many tables, and
 * the readers look for the entity first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table share_links (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      entity_kind text not null,
      entity_id uuid not null,
      -- SHA-256 of the secret, which is stored nowhere.
      token_hash bytea not null unique,
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      revoked_at timestamptz(3),
      last_opened_at timestamptz(3),
      opened_count integer not null default 0
    )
  `.execute(db);
  await sql`create index share_links_entity on share_links (project_id, entity_kind, entity_id, id)`.execute(db);
  await sql`create index share_links_creator on share_links (created_by)`.execute(db);
  await sql`
    alter table organizations add column share_link_days integer not null default 365
      check (share_link_days between 0 and 365)
  `.execute(db);
}
