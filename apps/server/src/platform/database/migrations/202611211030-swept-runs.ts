import { type Kysely, sql } from 'kysely';

/** When the files of an ended run other than its results were deleted from the storage; null: not yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column swept_at timestamptz(3)`.execute(db);
  await sql`
    create index runs_unswept on runs (finished_at) where finished_at is not null and swept_at is null
  `.execute(db);
}
