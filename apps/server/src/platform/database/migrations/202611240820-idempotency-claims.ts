import { type Kysely, sql } from 'kysely';

/** A key is claimed by one try at a time, and a try that has committed a part of its work says where to go on. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table idempotency_keys
      -- The try that works on the request; null when it has given up after its first part.
      add column claim uuid,
      -- What the first part made, while the request is not answered.
      add column point text
  `.execute(db);
  // Nobody can finish what an older version left unanswered.
  await sql`delete from idempotency_keys where status is null`.execute(db);
}
