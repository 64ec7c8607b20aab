import { HOME_RECENT, type ItemKind, type PersonalItem } from '@heterosis/contracts/people/home';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** What belongs to a project, by its table. Lists have no bin. */
export const ITEM_TABLES: readonly { kind: Exclude<ItemKind, 'project'>; table: string; hasBin: boolean }[] = [
  { kind: 'file', table: 'files', hasBin: true },
  ...runKinds.map((kind) => ({ kind, table: RUN_KINDS[kind].path, hasBin: true })),
  { kind: 'list', table: 'lists', hasBin: false },
  { kind: 'trial', table: 'trials', hasBin: true },
  { kind: 'decision', table: 'decisions', hasBin: true },
];

const inNoBin = (hasBin: boolean): RawBuilder<unknown> => (hasBin ? sql`and one.deleted_at is null` : sql``);

/** The name of the item of `mark (kind, item_id, project_id)`; no row for what is gone, in the bin or elsewhere. */
export const namedItem = sql`(
  ${sql.join(
    [
      sql`select one.name from projects as one
        where mark.kind = 'project' and one.id = mark.item_id and one.id = mark.project_id`,
      ...ITEM_TABLES.map(
        ({ kind, table, hasBin }) => sql`
          select one.name from ${sql.table(table)} as one
          where mark.kind = ${sql.lit(kind)} and one.id = mark.item_id and one.project_id = mark.project_id ${inNoBin(hasBin)}`,
      ),
    ],
    sql` union all `,
  )})`;

/** Marks as items, the latest first; only of the projects given, which the person may see now. */
async function readItems(db: Queryable, marks: RawBuilder<unknown>, limit: number): Promise<PersonalItem[]> {
  const { rows } = await sql<PersonalItem>`
    select mark.kind, mark.item_id as id, item.name, mark.at,
      jsonb_build_object('id', projects.id, 'name', projects.name) as project
    from (${marks}) as mark
    join projects on projects.id = mark.project_id
    cross join lateral ${namedItem} as item
    order by mark.at desc, mark.item_id desc
    limit ${limit}
  `.execute(db);
  return rows;
}

export const listFavourites = (
  db: Queryable,
  userId: string,
  projectIds: readonly string[],
  limit: number,
): Promise<PersonalItem[]> =>
  readItems(
    db,
    sql`select kind, item_id, project_id, favourite_at as at from personal_items
      where user_id = ${userId} and favourite_at is not null and project_id = any(${projectIds}::uuid[])`,
    limit,
  );

/** Files, runs, lists and trials that the person opened or made. Projects have cards of their own. */
export function listRecentItems(db: Queryable, userId: string, projectIds: readonly string[]): Promise<PersonalItem[]> {
  const within = sql`project_id = any(${projectIds}::uuid[])`;
  const made = ITEM_TABLES.map(
    ({ kind, table, hasBin }) => sql`(
      select ${sql.lit(kind)} as kind, id as item_id, project_id, created_at as at from ${sql.table(table)} as one
      where created_by = ${userId} and ${within} ${inNoBin(hasBin)}
      order by created_at desc limit ${HOME_RECENT})`,
  );
  const opened = sql`
    select kind, item_id, project_id, opened_at as at from personal_items
    where user_id = ${userId} and opened_at is not null and kind <> 'project' and ${within}`;
  const marks = sql`
    select kind, item_id, project_id, max(at) as at from (${sql.join([opened, ...made], sql` union all `)}) as mark
    group by kind, item_id, project_id`;
  return readItems(db, marks, HOME_RECENT);
}

export interface ItemMark {
  userId: string;
  projectId: string;
  kind: ItemKind;
  itemId: string;
}

const markOf = ({ userId, projectId, kind, itemId }: ItemMark) => ({
  user_id: userId,
  project_id: projectId,
  kind,
  item_id: itemId,
});

export async function isItemOf(db: Queryable, { projectId, kind, itemId }: ItemMark): Promise<boolean> {
  const { rows } = await sql`
    select from (values (${kind}, ${itemId}::uuid, ${projectId}::uuid)) as mark (kind, item_id, project_id)
    cross join lateral ${namedItem} as item
  `.execute(db);
  return rows.length > 0;
}

export async function upsertVisit(db: Queryable, mark: ItemMark): Promise<void> {
  const now = { opened_at: sql<string>`now()` };
  await db
    .insertInto('personal_items')
    .values({ ...markOf(mark), ...now })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'item_id']).doUpdateSet(now))
    .execute();
}

/** Serialised by person, so that two tabs cannot pass the limit. */
export async function countFavouritesLocked(db: Queryable, userId: string): Promise<number> {
  await sql`select from users where id = ${userId} for no key update`.execute(db);
  const { count } = await db
    .selectFrom('personal_items')
    .select((item) => item.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('favourite_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function upsertFavourite(db: Queryable, mark: ItemMark): Promise<void> {
  await db
    .insertInto('personal_items')
    .values({ ...markOf(mark), favourite_at: sql<string>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'item_id'])
        .doUpdateSet({ favourite_at: sql<string>`coalesce(personal_items.favourite_at, now())` }),
    )
    .execute();
}

export async function deleteFavourite(db: Queryable, { userId, kind, itemId }: ItemMark): Promise<void> {
  await sql`
    with gone as (
      delete from personal_items
      where user_id = ${userId} and kind = ${kind} and item_id = ${itemId} and opened_at is null
    )
    update personal_items set favourite_at = null
    where user_id = ${userId} and kind = ${kind} and item_id = ${itemId} and opened_at is not null
  `.execute(db);
}

const VISITS_LIVE_DAYS = 90;

/** Forgets visits after a while, and marks of what is deleted for good. */
export async function sweepPersonalItems(db: Queryable): Promise<void> {
  const long = sql`opened_at < now() - make_interval(days => ${VISITS_LIVE_DAYS})`;
  await sql`delete from personal_items where favourite_at is null and ${long}`.execute(db);
  for (const { kind, table } of ITEM_TABLES)
    await sql`
      delete from personal_items as mark
      where kind = ${kind} and not exists (select from ${sql.table(table)} as one where one.id = mark.item_id)
    `.execute(db);
}
