import { type Kysely, sql } from 'kysely';

/** Seasons and places that BrAPI clients make known before a trial names them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table announced_names (
      organization_id uuid not null references organizations on delete cascade,
      kind text not null check (kind in ('PLACE', 'SEASON')),
      -- Tells apart what is the same place or season from what is another.
      key text not null check (length(key) <= 255),
      name text not null check (length(name) <= 255),
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      created_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      primary key (organization_id, kind, key)
    )
  `.execute(db);
  await sql`create index announced_names_created_by on announced_names (created_by)`.execute(db);
  await sql`create index announced_names_created on announced_names (created_at)`.execute(db);
}
