import { type Kysely, sql } from 'kysely';

/** Models by a kernel of marker distances. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table models
      drop constraint models_model_type_check,
      add constraint models_model_type_check check (
        model_type in ('RRBLUP', 'GAUSSIAN', 'KERNEL_AVERAGE', 'BAYESCPI', 'BAYESB', 'BAYESR', 'BRR'))
  `.execute(db);
}
