import { type Kysely, sql } from 'kysely';

/**
 * What a person opened and made a favourite. `item_id` has no foreign key: it names rows of several tables, and the
 * readers join them, so what was deleted is not shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table personal_items (
      user_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      kind text not null,
      item_id uuid not null,
      opened_at timestamptz(3),
      favourite_at timestamptz(3),
      primary key (user_id, kind, item_id),
      check (opened_at is not null or favourite_at is not null)
    )
  `.execute(db);
  await sql`create index personal_items_project_id on personal_items (project_id)`.execute(db);
}
