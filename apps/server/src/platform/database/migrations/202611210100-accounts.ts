import { type Kysely, sql } from 'kysely';

/** Users, their means of signing in, and their sessions. E-mail addresses are stored in lower case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null unique check (email = lower(email) and email <> ''),
      email_verified boolean not null default false,
      -- Display name; null until NameRegistration was filled in.
      name text check (name <> ''),
      photo_url text,
      disabled_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `.execute(db);

  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      -- SHA-256; the token itself is never stored.
      refresh_token_hash bytea not null unique,
      user_agent text,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      revoked_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index sessions_user_id on sessions (user_id)`.execute(db);

  await sql`
    create table sign_in_codes (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      code_hash bytea not null unique,
      return_to text,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index sign_in_codes_user_id on sign_in_codes (user_id, created_at)`.execute(db);

  await sql`
    create table registrations (
      id uuid primary key,
      email text not null check (email = lower(email) and email <> ''),
      status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
      created_at timestamptz(3) not null default now(),
      decided_at timestamptz(3),
      -- Operator who decided, or "open registration".
      decided_by text,
      check ((status = 'PENDING') = (decided_at is null))
    )
  `.execute(db);
  await sql`create unique index registrations_pending_email on registrations (email) where status = 'PENDING'`.execute(
    db,
  );

  await sql`
    create table signing_keys (
      -- The kid of the JWKS.
      id text primary key,
      algorithm text not null default 'ES256',
      public_jwk jsonb not null,
      -- Private JWK sealed with a key derived from SECRET_KEY; never stored in the clear.
      private_key_sealed text not null,
      created_at timestamptz(3) not null default now(),
      -- From here on it signs nothing new, but still verifies.
      retired_at timestamptz(3)
    )
  `.execute(db);

  await sql`
    create table access_tokens (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null check (name <> ''),
      token_hash bytea not null unique,
      scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write']),
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    )
  `.execute(db);
  await sql`create index access_tokens_user_id on access_tokens (user_id)`.execute(db);
}
