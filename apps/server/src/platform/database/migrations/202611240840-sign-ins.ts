import { type Kysely, sql } from 'kysely';

/**
 * Refresh tokens that are replaced at every use, the last proof of each session, second factors, the page that a new
 * user wants, and the address of the running server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      -- The newest refresh token has this number; the first, whose hash is kept, has 0.
      add column refresh_number integer not null default 0,
      add column refreshed_at timestamptz(3) not null default now(),
      -- The newest refresh token is known to have reached the browser.
      add column is_received boolean not null default true,
      -- When the person last proved who he or she is.
      add column proved_at timestamptz(3) not null default now(),
      -- A mailed code that proves it again.
      add column proof_code_hash bytea,
      add column proof_expires_at timestamptz(3),
      add column proof_tries integer not null default 0
  `.execute(db);
  await sql`update sessions set proved_at = created_at, refreshed_at = last_used_at`.execute(db);

  await sql`
    create table second_factors (
      user_id uuid primary key references users on delete cascade,
      -- Encrypted with a key derived from SECRET_KEY.
      sealed_secret text not null,
      created_at timestamptz(3) not null default now(),
      -- Null until a first code has shown that the person has it.
      confirmed_at timestamptz(3),
      -- Of the last accepted code: no code counts twice.
      last_step bigint not null default 0,
      wrong_tries integer not null default 0,
      tried_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`
    create table recovery_codes (
      user_id uuid not null references second_factors on delete cascade,
      code_hash bytea not null,
      used_at timestamptz(3),
      primary key (user_id, code_hash)
    )
  `.execute(db);
  await sql`
    alter table organizations add column requires_second_factor boolean not null default false
  `.execute(db);
  await sql`create index organizations_second_factor on organizations (id) where requires_second_factor`.execute(db);

  await sql`alter table registrations add column return_to text`.execute(db);
  // The sessions that end with the change are all but this one; null: none.
  await sql`alter table email_changes add column only_session uuid`.execute(db);
  await sql`
    create table installation (
      is_this boolean primary key default true check (is_this),
      public_url text not null,
      updated_at timestamptz(3) not null default now()
    )
  `.execute(db);
}
