import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { WrittenGermplasm } from '../store-rows.queries.ts';

export type ParentIds = Pick<WrittenGermplasm, 'maternalId' | 'paternalId'>;

/** Name → id and parents of germplasm of a crop. */
export async function listDescents(
  db: Queryable,
  cropId: string,
  names: readonly string[],
): Promise<Map<string, ParentIds & { id: string }>> {
  const { rows } = await sql<ParentIds & { id: string; name: string }>`
    select id, name, maternal_id as "maternalId", paternal_id as "paternalId" from germplasm
    where crop_id = ${cropId} and deleted_at is null and name = any(${names}::text[])
  `.execute(db);
  return new Map(rows.map(({ name, ...row }) => [name, row]));
}
