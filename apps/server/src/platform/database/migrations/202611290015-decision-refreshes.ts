import { type Kysely, sql } from 'kysely';

/** When newer runs came to the table of an open decision, and whose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table decisions add column refreshes jsonb not null default '[]'`.execute(db);
}
