import { type Kysely, sql } from 'kysely';

/** How far the chunk jobs of a run are, each under its own name; `progress_done` is their sum. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column progress_parts jsonb not null default '{}'`.execute(db);
}
