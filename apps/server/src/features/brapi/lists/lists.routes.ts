import { description, name } from '@heterosis/contracts/common';
import { listKind, listMembers } from '@heterosis/contracts/data/lists';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { createLists, getList, updateList } from '../../data/lists/index.ts';
import { Asked } from '../asked.ts';
import { additionalInfo, read, readEntries, WRITING } from '../collecting/collected.ts';
import { requireWriting } from '../collecting/write-access.ts';
import { type ListRow, lists, listsAsked } from '../entities/lists.ts';
import { type Envelope, envelope, ignored, type Json, paginationOf } from '../envelope.ts';
import { type BrapiContext, entriesOfIds, idIn, pathOf, READING, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import { type BrapiScope, projectToWrite } from '../scope.ts';
import { SPECIFICATION } from '../specification.gen.ts';
import { namesOfMembers, shownMembers } from './list-members.ts';

const entity = lists as ListEntity;

const newList = z.object({
  listName: name,
  listType: listKind,
  listDescription: description.nullish(),
  data: listMembers.nullish(),
  additionalInfo,
});
type NewList = z.output<typeof newList>;

/** `GET` of one list with its members, and what writes lists: `POST`, `PUT`, and new members. */
export function registerLists(context: BrapiContext): void {
  const { app, calls } = context;
  const path = '/lists/{listDbId}';
  calls.add('GET', path);
  app.get(pathOf(path), { config: READING }, async (request) => {
    const scope = await scopeOf(context, request);
    return answer(scope, await findRow(scope, idIn(request, 'listDbId')));
  });
  calls.add('POST', '/lists');
  app.post('/lists', { config: WRITING }, (request) => create(context, request));
  calls.add('PUT', path);
  app.put(pathOf(path), { config: WRITING }, (request) => change(context, request));
  // `items` is what 2.0 called it.
  for (const part of ['data', 'items']) {
    calls.add('POST', `${path}/${part}`);
    app.post(pathOf(`${path}/${part}`), { config: WRITING }, async (request) => {
      const scope = await scopeOf(context, request);
      const row = await findRow(scope, idIn(request, 'listDbId'));
      const given = read(listMembers.min(1, 'has no entries'), request.body);
      return update(context, { scope, row }, { add: await namesFor(scope, row, given) });
    });
  }
}

/** Lists of one project, all or none. */
async function create(context: BrapiContext, request: FastifyRequest): Promise<Envelope> {
  const bodies = readEntries(newList, request.body);
  const scope = await scopeOf(context, request);
  const places = bodies.map((body, k) => projectToWrite(scope, body.additionalInfo, `body.${k}`));
  const [project] = places;
  if (project === undefined || places.some(({ id }) => id !== project.id))
    throw new Problem('request/invalid', 'All lists of a request must be of one trial. Nothing was saved.');
  const access = await requireWriting(context.services, scope.principal, project.id);
  const wanted: Parameters<typeof createLists>[3][number][] = [];
  for (const { listName, listType, listDescription, data } of bodies) {
    const members = await namesOfMembers(scope, project, { kind: listType, given: data ?? [] });
    wanted.push({ name: listName, kind: listType, description: listDescription, members });
  }
  const ids = await createLists(context.services, access, scope.principal, wanted);
  const data = await entriesOfIds(entity, scope, ids);
  const page = paginationOf({ page: 0, size: data.length }, data.length);
  return envelope({ data }, notKept(request.body as Json[]), page);
}

/** What a change does not name stays as it is. */
async function change(context: BrapiContext, request: FastifyRequest): Promise<Envelope> {
  const scope = await scopeOf(context, request);
  const row = await findRow(scope, idIn(request, 'listDbId'));
  const { list } = row;
  const given = read(z.record(z.string(), z.unknown()), request.body);
  const before = { listName: list.name, listType: list.kind, listDescription: list.description };
  const body: NewList = read(newList, { ...before, ...given });
  if (body.listType !== list.kind)
    throw new Problem('request/invalid', `body.listType: this list stays one of ${list.kind}. Nothing was saved.`);
  return update(
    context,
    { scope, row },
    {
      name: body.listName,
      description: body.listDescription ?? null,
      ...(body.data == null ? {} : { members: await namesFor(scope, row, body.data) }),
    },
    notKept([given]),
  );
}

async function update(
  { services }: BrapiContext,
  { scope, row: { list } }: { scope: BrapiScope; row: ListRow },
  wanted: Parameters<typeof updateList>[1]['body'],
  warnings: readonly string[] = [],
): Promise<Envelope> {
  const access = await requireWriting(services, scope.principal, list.project_id);
  await updateList({ services, access, principal: scope.principal }, { id: list.id, body: wanted });
  return answer(scope, await findRow(scope, list.id), warnings);
}

/** Names of what a client gives for a list: its own members as they are spelled there. */
async function namesFor(scope: BrapiScope, { list, project }: ListRow, given: readonly string[]): Promise<string[]> {
  const { members } = await getList({ services: scope, access: { projectId: project.id } }, { id: list.id });
  const shown = await shownMembers(scope, project, list.kind, members);
  const before = new Map(members.map((member, place) => [shown[place] ?? member, member]));
  return namesOfMembers(scope, project, { kind: list.kind, given, before });
}

async function findRow(scope: BrapiScope, id: string): Promise<ListRow> {
  const asked = new Asked();
  asked.add('listDbId', [id]);
  const [row] = await listsAsked(scope, asked);
  if (row === undefined) throw notFound('This list');
  return row;
}

/** A list with its members. */
async function answer(scope: BrapiScope, row: ListRow, warnings: readonly string[] = []): Promise<Envelope> {
  const { members } = await getList({ services: scope, access: { projectId: row.project.id } }, { id: row.list.id });
  const [entry] = await lists.serialize(scope, [row], new Asked());
  return envelope({ ...entry, data: await shownMembers(scope, row.project, row.list.kind, members) }, warnings);
}

/** Warnings for fields of the standard, or of a client, that lists do not have here. */
function notKept(bodies: readonly Json[]): string[] {
  const isGiven = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);
  const given = bodies.flatMap((body) => Object.entries(body).flatMap(([key, value]) => (isGiven(value) ? [key] : [])));
  return ignored([...new Set(given)].filter((key) => !ANSWERED.has(key)));
}

/** What an answer has and a client sends back. */
const ANSWERED = new Set(
  [...Object.keys(SPECIFICATION.lists.properties), 'data'].filter(
    (key) => key !== 'listSource' && key !== 'externalReferences',
  ),
);
