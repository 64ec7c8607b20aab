import type { Page } from '@heterosis/contracts/common';
import {
  type createListBody,
  MAX_LISTS,
  MAX_MEMBERS,
  type SavedList,
  type SavedListDetail,
} from '@heterosis/contracts/data/lists';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { listsApi } from '@heterosis/contracts/endpoints/data/lists';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall, ProjectReading } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { orNameTaken } from '../../../platform/http/taken-name.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { requireOwn } from '../../people/projects/index.ts';
import {
  countListsLocked,
  deleteList as deleteListRow,
  findList,
  insertList,
  listLists as listListRows,
  lockList,
  updateList as updateListRow,
} from './lists.queries.ts';

export async function listLists(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query: { limit, cursor, ...filter } }: InputOf<typeof listsApi.listLists>,
): Promise<Page<SavedList>> {
  const rows = await listListRows(db, projectId, { ...filter, limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

export async function getList(
  { services: { db }, access: { projectId } }: ProjectReading,
  { id }: InputOf<typeof listsApi.getList>,
): Promise<SavedListDetail> {
  const list = isUuid(id) ? await findList(db, projectId, id) : undefined;
  if (list === undefined) throw notFound('This list');
  return list;
}

export async function createList(
  { services, access, principal }: ProjectCall,
  { body }: InputOf<typeof listsApi.createList>,
): Promise<SavedListDetail> {
  const [id = ''] = await createLists(services, access, principal, [body]);
  return await getList({ services, access }, { id });
}

type NewList = Pick<z.output<typeof createListBody>, 'name' | 'kind' | 'description' | 'members'>;

/** All or none; returns their ids. */
export async function createLists(
  { db }: Pick<Services, 'db'>,
  access: ProjectAccess,
  principal: Principal,
  lists: readonly NewList[],
): Promise<string[]> {
  return await db.transaction().execute((trx) => createListsIn(trx, access, principal, lists));
}

/** The same within a transaction. */
export async function createListsIn(
  trx: Queryable,
  access: ProjectAccess,
  principal: Principal,
  lists: readonly NewList[],
): Promise<string[]> {
  const { projectId } = access;
  if ((await countListsLocked(trx, projectId)) + lists.length > MAX_LISTS)
    throw new Problem('lists/too-many', `A project keeps at most ${MAX_LISTS} lists. Delete those of no use.`);
  const ids: string[] = [];
  for (const { kind, name, description, members } of lists) {
    const row = { projectId, kind, name, description: description ?? null, createdBy: principal.userId };
    const id = await nameTaken(name, () => insertList(trx, { ...row, members: [...new Set(members)] }));
    await tell(trx, access, id);
    ids.push(id);
  }
  return ids;
}

export async function updateList(
  { services: { db }, access, principal }: ProjectCall,
  { id, body: { add, remove, ...body } }: InputOf<typeof listsApi.updateList>,
): Promise<SavedListDetail> {
  const { projectId } = access;
  const list = await getList({ services: { db }, access }, { id });
  requireOwn(access, principal, list.created_by_id);
  return await nameTaken(body.name ?? list.name, () =>
    db.transaction().execute(async (trx) => {
      // Two people may add names at the same time.
      const before = await lockList(trx, projectId, id);
      if (before === undefined) throw notFound('This list');
      const taken = new Set(remove);
      const members =
        body.members ??
        (add === undefined && remove === undefined
          ? undefined
          : [...before.filter((name) => !taken.has(name)), ...(add ?? [])]);
      const unique = members && [...new Set(members)];
      if (unique !== undefined && unique.length > MAX_MEMBERS)
        throw new Problem(
          'lists/too-long',
          `A list has at most ${MAX_MEMBERS} names; this one would have ${unique.length}.`,
        );
      await updateListRow(trx, projectId, id, { ...body, members: unique });
      await tell(trx, access, id);
      return await getList({ services: { db: trx }, access }, { id });
    }),
  );
}

export async function deleteList(
  { services: { db }, access, principal }: ProjectCall,
  { id }: InputOf<typeof listsApi.deleteList>,
): Promise<void> {
  const list = await getList({ services: { db }, access }, { id });
  requireOwn(access, principal, list.created_by_id);
  await db.transaction().execute(async (trx) => {
    await deleteListRow(trx, access.projectId, id);
    await tell(trx, access, id);
  });
}

const tell = (db: Queryable, { projectId, organizationId }: ProjectAccess, id: string): Promise<void> =>
  publishEvent(db, { type: 'list', id, project_id: projectId, organization_id: organizationId });

const nameTaken = <Result>(name: string, write: () => Promise<Result>): Promise<Result> =>
  orNameTaken({ index: 'lists_name', detail: `The project has a list "${name}" already. Choose another name.` }, write);
