import { type Kysely, sql } from 'kysely';

/** Photos of people, and new e-mail addresses that wait for their confirmation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_photos (
      -- Random, and new for every photo: who knows it may see the photo, and browsers may keep it.
      id uuid primary key,
      user_id uuid not null unique references users on delete cascade,
      content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
      bytes bytea not null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`
    create table email_changes (
      user_id uuid primary key references users on delete cascade,
      email text not null check (email = lower(email) and email <> ''),
      code_hash bytea not null unique,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null
    )
  `.execute(db);
}
