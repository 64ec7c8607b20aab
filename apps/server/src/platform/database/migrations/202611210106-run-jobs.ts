import { type Kysely, sql } from 'kysely';

/**
 * A run may be done by many jobs (a flow of chunks); `runs.jobs` names them all so that a cancel reaches every one.
 * An upload remembers the size that the browser announced, so that a cut body is refused wherever it was stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs drop column job_queue, drop column job_id`.execute(db);
  // [{queue, id}, …]
  await sql`alter table runs add column jobs jsonb not null default '[]'`.execute(db);
  await sql`alter table uploads add column size_bytes bigint check (size_bytes >= 0)`.execute(db);
}
