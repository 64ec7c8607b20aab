import { type Kysely, sql } from 'kysely';

/** The logo of an organization, which its reports bear. The id is its address, new with each picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organization_logos (
      id uuid primary key,
      organization_id uuid not null unique references organizations on delete cascade,
      content_type text not null check (content_type in ('image/jpeg', 'image/png')),
      bytes bytea not null,
      created_at timestamptz(3) not null default now()
    )
  `.execute(db);
}
