import { type Kysely, sql } from 'kysely';

/** The paper that a person prints on; null until it was chosen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column paper text check (paper in ('A4', 'LETTER'))`.execute(db);
}
