import { type Kysely, sql } from 'kysely';

/** How the prediction errors of the candidates vary together, as it was when the decision began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Lower triangles of the lines, 32-bit floats, one behind the other for each column that has one.
  await sql`alter table decisions add column error_covariances bytea`.execute(db);
}
