import { type Kysely, sql } from 'kysely';

/**
 * What a person does to the own account (sign-ins, tokens) is one event of the person and a copy for each organization
 * that he or she has a part in, so that its managers still see it when the person has left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_events add column copy_of uuid`.execute(db);
}
