import { type Kysely, sql } from 'kysely';

/**
 * A run may consist of many jobs (a flow of chunks); `runs.jobs` lists them so that a cancellation reaches each one.
 * An upload records the size announced by the browser, so that a truncated body is refused, whichever storage received
 * it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs drop column job_queue, drop column job_id`.execute(db);
  // [{queue, id}, …]
  await sql`alter table runs add column jobs jsonb not null default '[]'`.execute(db);
  await sql`alter table uploads add column size_bytes bigint check (size_bytes >= 0)`.execute(db);
}
