import { type Kysely, sql } from 'kysely';

/** A personal access token may be limited to projects. It reaches none when all of them are gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table access_tokens add column project_ids uuid[] check (cardinality(project_ids) > 0)`.execute(db);
}
