import { type Kysely, sql } from 'kysely';

/**
 * Invitations expire, and each mail contains a code that signs in its addressee once. Earlier invitations get two
 * weeks from now and no code: no mail was sent for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invitations
    add column code_hash text unique,
    add column expires_at timestamptz(3) not null default now() + interval '14 days',
    add column mailed_at timestamptz(3)`.execute(db);
}
