import { type Kysely, sql } from 'kysely';

/** When an ended run was rid of what it left in the storage beside its results; null: not yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column swept_at timestamptz(3)`.execute(db);
  await sql`
    create index runs_unswept on runs (finished_at) where finished_at is not null and swept_at is null
  `.execute(db);
}
