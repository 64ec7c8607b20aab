import { type Kysely, sql } from 'kysely';

/** Evaluations of allocations of a programme's numbers, kept while their search is under way, so that it goes on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table programme_evaluations (
      programme_id uuid not null references programmes on delete cascade,
      -- In the order of the search, from 0.
      place integer not null,
      software_version text not null,
      allocation double precision[] not null,
      -- Which replicates it met.
      block integer not null,
      -- Of gain in each replicate, then of diversity.
      values double precision[] not null,
      primary key (programme_id, place)
    )
  `.execute(db);
}
