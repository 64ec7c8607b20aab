import type { ListKind, SavedList, SavedListDetail } from '@heterosis/contracts/data/lists';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { containing } from '../../people/projects/index.ts';

const lists = (db: Queryable, projectIds: readonly string[]) =>
  db
    .selectFrom('lists as one')
    .leftJoin('users', 'users.id', 'one.created_by')
    .where(sql<boolean>`one.project_id = any(${projectIds}::uuid[])`)
    .select([
      'one.id',
      'one.project_id',
      'one.name',
      'one.description',
      'one.created_by as created_by_id',
      'one.created_at',
      'one.updated_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('created_by'))
    .select((list) => [
      list.ref('one.kind').$castTo<ListKind>().as('kind'),
      list.ref('one.size').$castTo<number>().as('size'),
    ]);

export interface ListFilter {
  kind?: ListKind | undefined;
  name?: string | undefined;
  limit: number;
  /** Id of the last list of the page before. */
  after?: string | undefined;
}

/** The newest first, without their members. */
export async function listLists(
  db: Queryable,
  projectId: string,
  { kind, name, limit, after }: ListFilter,
): Promise<SavedList[]> {
  return await lists(db, [projectId])
    .$if(kind !== undefined, (query) => query.where('one.kind', '=', kind ?? ''))
    .$if(name !== undefined && name !== '', (query) => query.where('one.name', 'ilike', containing(name ?? '')))
    .$if(after !== undefined, (query) => query.where('one.id', '<', after ?? ''))
    .orderBy('one.id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** The lists of some projects, the oldest first, without their members; `ids` chooses among them. */
export async function listListsOfProjects(
  db: Queryable,
  projectIds: readonly string[],
  ids?: readonly string[],
): Promise<SavedList[]> {
  return await lists(db, projectIds)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`one.id = any(${ids?.filter(isUuid)}::uuid[])`))
    .orderBy('one.id')
    .execute();
}

export async function findList(db: Queryable, projectId: string, id: string): Promise<SavedListDetail | undefined> {
  return await lists(db, [projectId]).select('one.members').where('one.id', '=', id).executeTakeFirst();
}

/** Locks the list until the end of the transaction. */
export async function lockList(db: Queryable, projectId: string, id: string): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('lists')
    .select('members')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.members;
}

/** Serialises what creates lists, so that two requests cannot both take the last place. */
export async function countListsLocked(db: Queryable, projectId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`lists of ${projectId}`}, 0))`.execute(db);
  const { count } = await db
    .selectFrom('lists')
    .select((list) => list.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertList(
  db: Queryable,
  list: {
    projectId: string;
    kind: ListKind;
    name: string;
    description: string | null;
    members: readonly string[];
    createdBy: string;
  },
): Promise<string> {
  const id = uuidv7();
  const { projectId, createdBy, members, ...rest } = list;
  await db
    .insertInto('lists')
    .values({ id, project_id: projectId, created_by: createdBy, members: [...members], ...rest })
    .execute();
  return id;
}

/** Undefined fields stay unchanged. */
export async function updateList(
  db: Queryable,
  projectId: string,
  id: string,
  change: { name?: string | undefined; description?: string | null | undefined; members?: string[] | undefined },
): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  await db
    .updateTable('lists')
    .set({ ...given, updated_at: sql<string>`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

export async function deleteList(db: Queryable, projectId: string, id: string): Promise<void> {
  await db.deleteFrom('lists').where('project_id', '=', projectId).where('id', '=', id).execute();
}
