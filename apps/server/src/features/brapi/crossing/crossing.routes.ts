import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { Asked } from '../asked.ts';
import { read, readChanges, readEntries, WRITING } from '../collecting/collected.ts';
import { crosses } from '../entities/crosses.ts';
import { crossingprojects, plannedcrosses } from '../entities/crossing-projects.ts';
import { envelope, type Json, paginationOf } from '../envelope.ts';
import { type BrapiContext, idIn, scopeOf } from '../list.routes.ts';
import { type ListEntity, listEntries } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import { newCross, newCrossingProject, newPlannedCross } from './crossing-bodies.ts';
import { type Entry, writeCrosses, writeCrossingProjects, writePlannedCrosses } from './write-crosses.service.ts';

/** What Intercross writes: crossing projects, crosses that are planned, and crosses that were made. */
export function registerCrossing(context: BrapiContext): void {
  const { app, calls, services } = context;
  const projects: Writes<z.output<typeof newCrossingProject>> = {
    entity: crossingprojects as ListEntity,
    id: 'crossingProjectDbId',
    body: newCrossingProject,
    write: (scope, entries) => writeCrossingProjects(services, scope, entries),
  };
  registerPost(context, projects);
  calls.add('PUT', '/crossingprojects/{crossingProjectDbId}');
  app.put('/crossingprojects/:crossingProjectDbId', { config: WRITING }, async (request) => {
    const id = idIn(request, 'crossingProjectDbId');
    const [entry] = await written(
      context,
      request,
      projects,
      await changesOf(context, request, projects, {
        [id]: request.body,
      }),
    );
    return envelope(entry);
  });
  const plans: Writes<z.output<typeof newPlannedCross>> = {
    entity: plannedcrosses as ListEntity,
    id: 'plannedCrossDbId',
    body: newPlannedCross,
    write: (scope, entries) => writePlannedCrosses(services, scope, entries),
  };
  const made: Writes<z.output<typeof newCross>> = {
    entity: crosses as ListEntity,
    id: 'crossDbId',
    body: newCross,
    write: (scope, entries) => writeCrosses(services, scope, entries),
  };
  registerPost(context, plans);
  registerPut(context, plans);
  registerPost(context, made);
  registerPut(context, made);
}

interface Writes<Body> {
  entity: ListEntity;
  /** The property that names an entry. */
  id: string;
  body: z.ZodType<Body>;
  write(scope: BrapiScope, entries: Entry<Body>[]): Promise<string[]>;
}

function registerPost<Body>(context: BrapiContext, writes: Writes<Body>): void {
  const { app, calls } = context;
  const path = `/${writes.entity.name}`;
  calls.add('POST', path);
  app.post(path, { config: WRITING }, async (request) => {
    const bodies = readEntries(writes.body, request.body);
    return answer(
      await written(
        context,
        request,
        writes,
        bodies.map((body, k) => ({ id: null, where: `body.${k}`, body })),
      ),
    );
  });
}

function registerPut<Body>(context: BrapiContext, writes: Writes<Body>): void {
  const { app, calls } = context;
  const path = `/${writes.entity.name}`;
  calls.add('PUT', path);
  app.put(path, { config: WRITING }, async (request) =>
    answer(await written(context, request, writes, await changesOf(context, request, writes, request.body))),
  );
}

/** What a change does not name stays as it is. */
async function changesOf<Body>(
  context: BrapiContext,
  request: FastifyRequest,
  { entity, id: property, body }: Writes<Body>,
  given: unknown,
): Promise<Entry<Body>[]> {
  const changes = readChanges(given);
  const before = await entriesOf(
    entity,
    property,
    await scopeOf(context, request),
    changes.map(([id]) => id),
  );
  return changes.map(([id, change], k) => ({
    id,
    where: `body.${id}`,
    body: read(body, { ...before[k], ...change }, `body.${id}`),
  }));
}

async function written<Body>(
  context: BrapiContext,
  request: FastifyRequest,
  { entity, id, write }: Writes<Body>,
  entries: Entry<Body>[],
): Promise<Json[]> {
  requirePrincipal(request);
  const ids = await write(await scopeOf(context, request), entries);
  return entriesOf(entity, id, await scopeOf(context, request), ids);
}

const answer = (data: Json[]) => envelope({ data }, [], paginationOf({ page: 0, size: data.length }, data.length));

/** Entries in the order of their ids; 404 for one that the caller does not see. */
async function entriesOf(
  entity: ListEntity,
  property: string,
  scope: BrapiScope,
  ids: readonly string[],
): Promise<Json[]> {
  const asked = new Asked();
  asked.add(property, ids);
  const { data } = await listEntries(entity, scope, asked, { page: 0, size: ids.length });
  const byId = new Map(data.map((entry): [unknown, Json] => [entry[property], entry]));
  return ids.map((id) => {
    const entry = byId.get(id);
    if (entry === undefined) throw notFound(`The entry ${id} of ${entity.name}`);
    return entry;
  });
}
