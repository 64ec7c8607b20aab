import type { ProgrammeKey } from '@heterosis/statgen/programmes/summarize-replicates';
import { sql } from 'kysely';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProgrammeRow } from './programmes.queries.ts';

/** Of each scheme what its values are of, in their order. */
export type Measured = ProgrammeKey[][];

/** What one replicate of one scheme has measured; NaN where a quantity does not exist. */
export interface ReplicateValues {
  scheme: number;
  replicate: number;
  values: number[];
}

type Named = Pick<ProgrammeRow, 'project_id' | 'id'>;

/** Null until the first replicate has ended. */
export async function readMeasured(db: Queryable, { project_id, id }: Named): Promise<Measured | null> {
  const row = await db
    .selectFrom('programmes')
    .select('measured')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
  const measured = row?.measured as [cycle: number, stage: string, quantity: string][][] | null | undefined;
  return measured?.map((keys) => keys.map(([cycle, stage, quantity]) => ({ cycle, stage, quantity }))) ?? null;
}

export async function writeMeasured(db: Queryable, { project_id, id }: Named, measured: Measured): Promise<void> {
  const packed = measured.map((keys) => keys.map(({ cycle, stage, quantity }) => [cycle, stage, quantity]));
  await db
    .updateTable('programmes')
    .set({ measured: JSON.stringify(packed) })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute();
}

/** Forgets replicates of another version, which may have drawn other numbers. */
export async function forgetOtherVersions(db: Queryable, id: string): Promise<void> {
  await db
    .deleteFrom('programme_replicates')
    .where('programme_id', '=', id)
    .where('software_version', '!=', SOFTWARE_VERSION)
    .execute();
}

export async function forgetReplicates(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('programme_replicates').where('programme_id', '=', id).execute();
}

/** Rows in one insertion. */
const BATCH = 50;

/** What is stored already is the same: replicates depend on seed and number alone. */
export async function insertReplicates(db: Queryable, id: string, found: readonly ReplicateValues[]): Promise<void> {
  for (let first = 0; first < found.length; first += BATCH) {
    const rows = found.slice(first, first + BATCH);
    await sql`
      insert into programme_replicates (programme_id, scheme, replicate, software_version, values)
      values ${sql.join(
        rows.map(
          ({ scheme, replicate, values }) =>
            sql`(${id}, ${scheme}, ${replicate}, ${SOFTWARE_VERSION}, ${values}::double precision[])`,
        ),
      )}
      on conflict do nothing`.execute(db);
  }
}

/** Numbers of the replicates that all schemes have, ascending. */
export async function listReplicates(db: Queryable, id: string, schemes: number): Promise<number[]> {
  const { rows } = await sql<{ replicate: number }>`
    select replicate from programme_replicates where programme_id = ${id}
    group by replicate having count(*) = ${schemes} order by replicate`.execute(db);
  return rows.map(({ replicate }) => replicate);
}

/** All values of a range of replicates of one scheme, by replicate. */
export async function readReplicates(
  db: Queryable,
  id: string,
  { scheme, first, count }: { scheme: number; first: number; count: number },
): Promise<number[][]> {
  const { rows } = await sql<{ values: number[] }>`
    select values from programme_replicates
    where programme_id = ${id} and scheme = ${scheme} and replicate >= ${first} and replicate < ${first + count}
    order by replicate`.execute(db);
  return rows.map(({ values }) => values);
}

/** Some values of all replicates of one scheme so far, by place among those that are measured, from 0. */
export async function readValues(
  db: Queryable,
  id: string,
  { scheme, places }: { scheme: number; places: readonly number[] },
): Promise<{ replicate: number; values: number[] }[]> {
  const wanted = sql.join(places.map((place) => sql`values[${sql.lit(place + 1)}]`));
  const { rows } = await sql<{ replicate: number; values: number[] }>`
    select replicate, array[${wanted}] as values from programme_replicates
    where programme_id = ${id} and scheme = ${scheme} order by replicate`.execute(db);
  return rows;
}
