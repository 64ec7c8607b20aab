import { type Kysely, sql } from 'kysely';

/** Trials that were opened from a file know it: what analyses of the file say of its plots is theirs too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table trials
      add column opened_file_id uuid references files on delete set null,
      -- As the file spells it; null for a file without environments.
      add column opened_environment text
  `.execute(db);
  await sql`create index trials_opened_file on trials (opened_file_id)`.execute(db);
}
