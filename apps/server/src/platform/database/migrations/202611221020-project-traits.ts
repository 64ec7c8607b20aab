import { type Kysely, sql } from 'kysely';

/** What breeders want of the traits of a project: a trait without a row is wanted high, with weight 1. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_traits (
      project_id uuid not null references projects on delete cascade,
      -- As phenotype files spell it.
      name text not null check (name <> '' and length(name) <= 255),
      direction text not null check (direction in ('higher', 'lower')),
      unit text check (unit <> '' and length(unit) <= 50),
      -- In the index over traits; 0 leaves the trait out.
      weight double precision not null check (weight between 0 and 1000),
      updated_at timestamptz(3) not null default now(),
      primary key (project_id, name)
    )
  `.execute(db);
}
