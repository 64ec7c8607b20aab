import { type Kysely, sql } from 'kysely';

/** A crossing plan may take coancestries from a pedigree. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table crossing_plans
      add column pedigree_id uuid,
      add constraint crossing_plans_pedigree_id foreign key (pedigree_id, project_id)
        references files (id, project_id) on delete set null (pedigree_id)
  `.execute(db);
  await sql`create index crossing_plans_pedigree_id on crossing_plans (pedigree_id, project_id)`.execute(db);
}
