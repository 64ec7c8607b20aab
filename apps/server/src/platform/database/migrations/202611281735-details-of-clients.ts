import { type Kysely, sql } from 'kysely';

/** What BrAPI clients say of trials and plots beyond their columns, kept and sent back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['trials', 'trial_plots'])
    await sql`alter table ${sql.table(table)} add column client_details jsonb`.execute(db);
}
