import { type Kysely, sql } from 'kysely';

/** Searches of BrAPI clients, which ask for the result in a second request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table brapi_searches (
      -- A hash of the caller, the list and the body.
      id text primary key check (length(id) = 40),
      user_id uuid not null references users on delete cascade,
      list text not null check (length(list) <= 40),
      body jsonb not null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index brapi_searches_user on brapi_searches (user_id)`.execute(db);
  await sql`create index brapi_searches_created on brapi_searches (created_at)`.execute(db);
}
