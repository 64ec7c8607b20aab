import type { FastifyRequest } from 'fastify';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { observations, observationunits } from '../entities/observations.ts';
import { envelope, type Json, paginationOf } from '../envelope.ts';
import { splitId } from '../ids.ts';
import { type BrapiContext, entriesOfIds, idIn, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import { addObservations, changeObservations } from './collect-observations.service.ts';
import { addUnits, changeUnits } from './collect-units.service.ts';
import { newObservation, newUnit, read, readChanges, readEntries, WRITING } from './collected.ts';

/** What Field Book, Intercross and others write to studies: for everybody who may write to their project. */
export function registerCollecting(context: BrapiContext): void {
  const { services } = context;
  registerWrites(context, observations, {
    add: (scope, body) => addObservations(services, scope, readEntries(newObservation, body)),
    async change(scope, changes) {
      const before = await known(scope, observations, changes);
      return await changeObservations(
        services,
        scope,
        changes.map(([id, change], k) => ({
          id,
          where: `body.${id}`,
          entry: read(newObservation, { ...before[k], season: null, ...change }, `body.${id}`),
        })),
      );
    },
  });
  registerWrites(context, observationunits, {
    add: (scope, body) => addUnits(services, scope, readEntries(newUnit, body)),
    async change(scope, changes) {
      const before = await known(scope, observationunits, changes);
      return await changeUnits(
        services,
        scope,
        changes.map(([id, change], k) => ({
          place: splitId(id)?.row ?? -1,
          where: `body.${id}`,
          entry: read(
            newUnit,
            { ...withoutLine(before[k] ?? {}, change), ...change, studyDbId: before[k]?.['studyDbId'] },
            `body.${id}`,
          ),
        })),
      );
    },
  });
}

/** Another line may be named by its id or by its name; what the unit had by the other must not count. */
function withoutLine({ germplasmDbId, germplasmName, ...before }: Json, change: Json): Json {
  return 'germplasmDbId' in change || 'germplasmName' in change ? before : { germplasmDbId, germplasmName, ...before };
}

/** The entries that are to be changed; what a change does not name stays. */
async function known(
  scope: BrapiScope,
  entity: ListEntity,
  changes: readonly [id: string, change: Json][],
): Promise<Json[]> {
  const ids = changes.map(([id]) => id);
  const found = await entriesOfIds(entity, scope, ids);
  const [missing] = ids.filter((_, k) => found[k] === undefined);
  if (missing !== undefined) throw notFound(`The entry ${missing} of ${entity.name}`);
  return found as Json[];
}

interface Writes {
  /** Returns the ids of the entries, in their order. */
  add(scope: BrapiScope, body: unknown): Promise<string[]>;
  /** The same: what corrects an observation of a trial has another id. */
  change(scope: BrapiScope, changes: [id: string, change: Json][]): Promise<string[]>;
}

/** POST of a list, PUT of a list and PUT of one entry. */
function registerWrites(context: BrapiContext, entity: ListEntity, { add, change }: Writes): void {
  const { app, calls } = context;
  const { name } = entity;
  const id = entity.id ?? '';
  /** Read again: what was written is in the next revision. */
  const answer = async (request: FastifyRequest, ids: readonly string[]): Promise<Json[]> => {
    const found = await entriesOfIds(entity, await scopeOf(context, request), ids);
    if (found.includes(undefined)) throw new Problem('request/conflict', 'What was written was deleted meanwhile.');
    return found as Json[];
  };
  calls.add('POST', `/${name}`);
  app.post(`/${name}`, { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const data = await answer(request, await add(await scopeOf(context, request), request.body));
    return envelope({ data }, [], paginationOf({ page: 0, size: data.length }, data.length));
  });
  calls.add('PUT', `/${name}`);
  app.put(`/${name}`, { config: WRITING }, async (request) => {
    const changes = readChanges(request.body);
    const data = await answer(request, await change(await scopeOf(context, request), changes));
    return envelope({ data }, [], paginationOf({ page: 0, size: data.length }, data.length));
  });
  calls.add('PUT', `/${name}/{${id}}`);
  app.put(`/${name}/:${id}`, { config: WRITING }, async (request) => {
    const own = idIn(request, id);
    const [[, body] = ['', {}]] = readChanges({ [own]: request.body });
    const ids = await change(await scopeOf(context, request), [[own, body]]);
    return envelope((await answer(request, ids))[0]);
  });
}
