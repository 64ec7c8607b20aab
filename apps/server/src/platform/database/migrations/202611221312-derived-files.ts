import { type Kysely, sql } from 'kysely';

/** The file that a run has made from another one is noted under one name, whichever way it was made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update runs
    set parameters = parameters - 'phased_file_id' || jsonb_build_object('made_file_id', parameters -> 'phased_file_id')
    where step = 'phase' and parameters ? 'phased_file_id'
  `.execute(db);
}
