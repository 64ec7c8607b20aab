import { sql } from 'kysely';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import type { Queryable } from '../../../platform/database/database.ts';

/** A simulated allocation of a programme's numbers. */
export interface StoredEvaluation {
  /** In the order of the search, from 0. */
  place: number;
  allocation: number[];
  block: number;
  /** Of gain in each replicate, then of diversity. */
  values: number[];
}

/** Those of this version so far, in their order; of another version they are forgotten. */
export async function readEvaluations(db: Queryable, id: string): Promise<StoredEvaluation[]> {
  await db
    .deleteFrom('programme_evaluations')
    .where('programme_id', '=', id)
    .where('software_version', '!=', SOFTWARE_VERSION)
    .execute();
  const { rows } = await sql<StoredEvaluation>`
    select place, allocation, block, values from programme_evaluations
    where programme_id = ${id} order by place`.execute(db);
  return rows;
}

/** What is stored already is the same: an evaluation depends on the seed and on those before its round alone. */
export async function insertEvaluations(db: Queryable, id: string, found: readonly StoredEvaluation[]): Promise<void> {
  if (found.length === 0) return;
  await sql`
    insert into programme_evaluations (programme_id, place, software_version, allocation, block, values)
    values ${sql.join(
      found.map(
        ({ place, allocation, block, values }) =>
          sql`(${id}, ${place}, ${SOFTWARE_VERSION}, ${allocation}::double precision[], ${block}, ${values}::double precision[])`,
      ),
    )}
    on conflict do nothing`.execute(db);
}

export async function forgetEvaluations(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('programme_evaluations').where('programme_id', '=', id).execute();
}
