import type { TableView, ViewContent } from '@heterosis/contracts/people/table-views';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

export type ViewRow = Omit<TableView, 'may_change'>;

/** Views that a person sees: of nobody in particular, or his or her own. Ids of other people's are unknown. */
const views = (db: Queryable, projectId: string, userId: string) =>
  db
    .selectFrom('table_views as one')
    .leftJoin('users', 'users.id', 'one.created_by')
    .where('one.project_id', '=', projectId)
    .where((view) => view.or([view('one.owner_id', 'is', null), view('one.owner_id', '=', userId)]))
    .select([
      'one.id',
      'one.project_id',
      'one.table_name as table',
      'one.name',
      'one.is_default',
      'one.created_by as created_by_id',
      'one.created_at',
      'one.updated_at',
    ])
    .select((view) => [
      view.ref('one.content').$castTo<ViewContent>().as('content'),
      sql<boolean>`one.owner_id is null`.as('is_shared'),
      sql<string | null>`coalesce(users.name, users.email)`.as('created_by'),
    ]);

export async function listViews(db: Queryable, projectId: string, userId: string): Promise<ViewRow[]> {
  return await views(db, projectId, userId)
    .orderBy('one.table_name')
    .orderBy(sql`lower(one.name)`)
    .orderBy('one.id')
    .execute();
}

export async function findView(
  db: Queryable,
  projectId: string,
  userId: string,
  id: string,
): Promise<ViewRow | undefined> {
  return await views(db, projectId, userId).where('one.id', '=', id).executeTakeFirst();
}

/** Serialises what changes the views of a project, so that neither the limit nor the one default is passed. */
export async function lockViews(db: Queryable, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views of ${projectId}`}, 0))`.execute(db);
}

export async function countViews(db: Queryable, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('table_views')
    .select((view) => view.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of the same table: for everybody (`ownerId` null), or of one person. */
export async function clearDefault(
  db: Queryable,
  { projectId, table, ownerId }: { projectId: string; table: string; ownerId: string | null },
): Promise<void> {
  await db
    .updateTable('table_views')
    .set({ is_default: false })
    .where('project_id', '=', projectId)
    .where('table_name', '=', table)
    .where('owner_id', ownerId === null ? 'is' : '=', ownerId)
    .where('is_default', '=', true)
    .execute();
}

export async function insertView(
  db: Queryable,
  view: {
    projectId: string;
    table: string;
    name: string;
    content: ViewContent;
    ownerId: string | null;
    createdBy: string;
    isDefault: boolean;
  },
): Promise<string> {
  const id = uuidv7();
  const { projectId, table, name, content, ownerId, createdBy, isDefault } = view;
  const keys = { id, project_id: projectId, table_name: table, owner_id: ownerId, created_by: createdBy };
  await db
    .insertInto('table_views')
    .values({ ...keys, name, content: JSON.stringify(content), is_default: isDefault })
    .execute();
  return id;
}

/** Undefined fields stay unchanged. */
export async function updateView(
  db: Queryable,
  { projectId, id }: { projectId: string; id: string },
  change: {
    name?: string | undefined;
    content?: ViewContent | undefined;
    ownerId?: string | null | undefined;
    isDefault?: boolean | undefined;
  },
): Promise<void> {
  const { name, content, ownerId, isDefault } = change;
  await db
    .updateTable('table_views')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(content === undefined ? {} : { content: JSON.stringify(content) }),
      ...(ownerId === undefined ? {} : { owner_id: ownerId }),
      ...(isDefault === undefined ? {} : { is_default: isDefault }),
      updated_at: sql<string>`now()`,
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute();
}

export async function deleteView(db: Queryable, projectId: string, id: string): Promise<void> {
  await db.deleteFrom('table_views').where('project_id', '=', projectId).where('id', '=', id).execute();
}
