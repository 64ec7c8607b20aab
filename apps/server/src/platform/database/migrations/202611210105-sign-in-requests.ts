import { type Kysely, sql } from 'kysely';

/** Requests for sign-in mails and accounts in the last hour, counted per address and per e-mail over all processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sign_in_requests (
      id uuid primary key,
      ip text not null,
      email text not null check (email = lower(email)),
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index sign_in_requests_ip on sign_in_requests (ip, created_at)`.execute(db);
  await sql`create index sign_in_requests_email on sign_in_requests (email, created_at)`.execute(db);
  await sql`create index sign_in_requests_created_at on sign_in_requests (created_at)`.execute(db);
}
