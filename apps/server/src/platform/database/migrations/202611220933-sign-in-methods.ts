import { type Kysely, sql } from 'kysely';

/** A sign-in at a provider also ends in a one-time code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_in_codes
      add column method text not null default 'email_link' check (method in ('email_link', 'oidc'))
  `.execute(db);
}
