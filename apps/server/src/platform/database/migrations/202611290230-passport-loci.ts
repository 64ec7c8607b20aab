import { type Kysely, sql } from 'kysely';

/** The loci that the passports of a project show, and the markers that they mean in the genotype. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passport_loci (
      project_id uuid primary key references projects on delete cascade,
      genotype_id uuid not null references files on delete cascade,
      loci jsonb not null,
      chosen_by uuid references users on delete set null,
      chosen_at timestamptz(3) not null default now()
    )
  `.execute(db);
  await sql`create index passport_loci_genotype on passport_loci (genotype_id)`.execute(db);
  await sql`create index passport_loci_chooser on passport_loci (chosen_by)`.execute(db);
}
