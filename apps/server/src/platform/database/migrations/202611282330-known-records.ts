import { type Kysely, sql } from 'kysely';

/** A prediction may take records of some traits of the individuals that it predicts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table predictions
      add column phenotype_id uuid,
      add constraint predictions_phenotype_id foreign key (phenotype_id, project_id)
        references files (id, project_id) on delete set null (phenotype_id)
  `.execute(db);
  await sql`create index predictions_phenotype_id on predictions (phenotype_id, project_id)`.execute(db);
}
