import { type Kysely, sql } from 'kysely';

/** An invitation to an organization may name projects of it, which its addressee then joins as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invitations add column project_ids uuid[] not null default '{}'`.execute(db);
}
