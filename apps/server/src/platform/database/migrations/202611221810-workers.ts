import { type Kysely, sql } from 'kysely';

/** The workers, and what they offer their jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workers (
      id uuid primary key,
      host text not null,
      cores int not null,
      memory_mb int not null,
      disk_mb int not null,
      started_at timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now()
    )
  `.execute(db);
}
