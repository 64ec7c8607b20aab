import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** A season or place that a client has made known; trials may name it later. */
export interface AnnouncedName {
  organization_id: string;
  kind: 'PLACE' | 'SEASON';
  /** What its id is made of: the id that it has as the season or place of a trial. */
  key: string;
  name: string;
  latitude: number | null;
  longitude: number | null;
}

/** What nobody has taken for so long is no longer known. */
const KEPT_DAYS = 366;

/** Those of some organizations, and in others what this person has made known; by name. */
export async function listAnnounced(
  db: Queryable,
  { all, others, userId }: { all: readonly string[]; others: readonly string[]; userId: string },
): Promise<AnnouncedName[]> {
  const { rows } = await sql<AnnouncedName>`select organization_id, kind, key, name, latitude, longitude
    from announced_names
    where organization_id = any(${[...all]}::uuid[])
      or organization_id = any(${[...others]}::uuid[]) and created_by = ${userId}
    order by name, key
  `.execute(db);
  return rows;
}

/** Stores what is not there yet, each once, and where places are of which nobody has said it. */
export async function insertAnnounced(db: Queryable, names: readonly AnnouncedName[], userId: string): Promise<void> {
  await db
    .insertInto('announced_names')
    .values(names.map((name) => ({ ...name, created_by: userId })))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'kind', 'key']).doUpdateSet({
        latitude: sql<number>`coalesce(announced_names.latitude, excluded.latitude)`,
        longitude: sql<number>`coalesce(announced_names.longitude, excluded.longitude)`,
      }),
    )
    .execute();
}

export async function countAnnounced(db: Queryable, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('announced_names')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Says where an announced place is. */
export async function placeAnnounced(
  db: Queryable,
  { organizationId, key }: { organizationId: string; key: string },
  { latitude, longitude }: Pick<AnnouncedName, 'latitude' | 'longitude'>,
): Promise<void> {
  await db
    .updateTable('announced_names')
    .set({ latitude, longitude })
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'PLACE')
    .where('key', '=', key)
    .execute();
}

/** Deletes what was made known long ago; what trials name is known by them. */
export async function sweepAnnounced(db: Queryable): Promise<void> {
  await db
    .deleteFrom('announced_names')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
