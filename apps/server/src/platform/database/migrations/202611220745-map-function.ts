import { type Kysely, sql } from 'kysely';

/** Crossing simulations knew one map function, Haldane's; it is a parameter now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update crossing_simulations
    set parameters = jsonb_build_object('map_function', 'haldane') || parameters
  `.execute(db);
}
