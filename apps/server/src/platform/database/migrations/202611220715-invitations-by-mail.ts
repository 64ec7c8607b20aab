import { type Kysely, sql } from 'kysely';

/**
 * Invitations expire, and each mail carries a code that signs its addressee in once. Invitations made before get two weeks from
 * now and no code: their mail was never sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invitations
    add column code_hash text unique,
    add column expires_at timestamptz(3) not null default now() + interval '14 days',
    add column mailed_at timestamptz(3)`.execute(db);
}
