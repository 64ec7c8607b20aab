import { type Kysely, sql } from 'kysely';

/** What the OpenID provider for other programs remembers between two requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table openid_records (
      model text not null check (length(model) <= 50),
      -- A hash of it where whoever knows the id could use it.
      id text not null check (length(id) <= 200),
      payload jsonb not null,
      grant_id text check (length(grant_id) <= 200),
      expires_at timestamptz(3) not null,
      primary key (model, id)
    )
  `.execute(db);
  await sql`create index openid_records_grant on openid_records (grant_id) where grant_id is not null`.execute(db);
  await sql`create index openid_records_expiry on openid_records (expires_at)`.execute(db);
}
