import type { InputOf } from '@heterosis/contracts/endpoint';
import type { tableViewsApi } from '@heterosis/contracts/endpoints/people/table-views';
import { MAX_VIEWS, type TableView, type TableViews } from '@heterosis/contracts/people/table-views';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import { isAtLeast, type Principal, type ProjectAccess } from '../../../platform/http/access.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { orNameTaken } from '../../../platform/http/taken-name.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { requireManager, requireOwn } from '../projects/index.ts';
import {
  clearDefault,
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockViews,
  updateView,
  type ViewRow,
} from './table-views.queries.ts';

export async function listTableViews({ services: { db }, access, principal }: ProjectCall): Promise<TableViews> {
  const rows = await listViews(db, access.projectId, principal.userId);
  return {
    data: rows.map((row) => toView(row, access, principal)),
    may_save: principal.isGuest !== true,
    may_share: mayShare(access, principal),
    may_set_default: maySetDefault(access, principal),
  };
}

export async function createTableView(
  { services: { db }, access, principal }: ProjectCall,
  { body: { table, name, content, is_shared, is_default } }: InputOf<typeof tableViewsApi.createTableView>,
): Promise<TableView> {
  const { projectId } = access;
  if (is_shared) requireSharing(access, principal);
  if (is_shared && is_default) requireManager(access, 'choose the view that a table opens with for everybody');
  const ownerId = is_shared ? null : principal.userId;
  return await nameTaken(name, () =>
    db.transaction().execute(async (trx) => {
      await lockViews(trx, projectId);
      if ((await countViews(trx, projectId)) >= MAX_VIEWS)
        throw new Problem('views/too-many', `A project keeps at most ${MAX_VIEWS} views. Delete those of no use.`);
      if (is_default) await clearDefault(trx, { projectId, table, ownerId });
      const author = { ownerId, createdBy: principal.userId };
      const id = await insertView(trx, { projectId, table, name, content, ...author, isDefault: is_default });
      return await told(trx, access, principal, id);
    }),
  );
}

export async function updateTableView(
  { services: { db }, access, principal }: ProjectCall,
  { id, body: { name, content, is_shared, is_default } }: InputOf<typeof tableViewsApi.updateTableView>,
): Promise<TableView> {
  const { projectId } = access;
  return await nameTaken(name ?? '', () =>
    db.transaction().execute(async (trx) => {
      await lockViews(trx, projectId);
      const before = await ownView(trx, access, principal, id);
      const isShared = is_shared ?? before.is_shared;
      if (isShared) requireSharing(access, principal);
      const isMoved = isShared !== before.is_shared;
      // What was the default of one person is not made that of everybody in passing, nor the other way round.
      const isDefault = is_default ?? (isMoved ? false : before.is_default);
      if (isShared && isDefault !== (isMoved ? false : before.is_default))
        requireManager(access, 'choose the view that a table opens with for everybody');
      const isAuthor = before.created_by_id === principal.userId;
      if (isMoved && !isAuthor && !isShared)
        throw new Problem('request/not-allowed', 'Only its author takes a shared view back. You may delete it.');
      const ownerId = isShared ? null : principal.userId;
      if (isDefault) await clearDefault(trx, { projectId, table: before.table, ownerId });
      await updateView(trx, { projectId, id }, { name, content, ownerId, isDefault });
      return await told(trx, access, principal, id);
    }),
  );
}

export async function deleteTableView(
  { services: { db }, access, principal }: ProjectCall,
  { id }: InputOf<typeof tableViewsApi.deleteTableView>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const view = await ownView(trx, access, principal, id);
    if (view.is_shared) requireSharing(access, principal);
    await deleteView(trx, access.projectId, id);
    await tell(trx, access, id);
  });
}

/** The view, if the caller may change it. */
async function ownView(db: Queryable, access: ProjectAccess, principal: Principal, id: string): Promise<ViewRow> {
  const view = isUuid(id) ? await findView(db, access.projectId, principal.userId, id) : undefined;
  if (view === undefined) throw notFound('This view');
  requireOwn(access, principal, view.created_by_id);
  return view;
}

const mayShare = ({ readOnly }: ProjectAccess, { isGuest }: Principal): boolean => !readOnly && isGuest !== true;

const maySetDefault = (access: ProjectAccess, principal: Principal): boolean =>
  mayShare(access, principal) && isAtLeast(access.role, 'MANAGER');

function requireSharing(access: ProjectAccess, principal: Principal): void {
  if (mayShare(access, principal)) return;
  throw new Problem(
    'request/not-allowed',
    'Members of this project may only read: they keep views of their own and share none. Ask a manager of the project.',
  );
}

function toView(row: ViewRow, access: ProjectAccess, principal: Principal): TableView {
  const isOwn = row.created_by_id === principal.userId || isAtLeast(access.role, 'MANAGER');
  return { ...row, may_change: row.is_shared ? isOwn && mayShare(access, principal) : isOwn };
}

const tell = (db: Queryable, { projectId, organizationId }: ProjectAccess, id: string): Promise<void> =>
  publishEvent(db, { type: 'table_view', id, project_id: projectId, organization_id: organizationId });

async function told(db: Queryable, access: ProjectAccess, principal: Principal, id: string): Promise<TableView> {
  await tell(db, access, id);
  const view = await findView(db, access.projectId, principal.userId, id);
  if (view === undefined) throw new Error(`The view ${id} is gone within its own transaction`);
  return toView(view, access, principal);
}

const nameTaken = <Result>(name: string, write: () => Promise<Result>): Promise<Result> =>
  orNameTaken(
    { index: 'table_views_name', detail: `The table has a view "${name}" already. Choose another name.` },
    write,
  );
