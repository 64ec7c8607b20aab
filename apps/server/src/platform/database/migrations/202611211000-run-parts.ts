import { type Kysely, sql } from 'kysely';

/** Progress of each chunk job of a run, by its name; `progress_done` is their sum. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column progress_parts jsonb not null default '{}'`.execute(db);
}
