import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requirePrincipal } from '../../platform/http/access.ts';
import type { App, Services } from '../../platform/http/app.ts';
import { notFound } from '../../platform/http/problem.ts';
import { alleleMatrix } from './allele-matrix.ts';
import { Asked, askedInBody, askedInQuery, type PageRequest, pageOf } from './asked.ts';
import { callsPage, MOST_CALLS, USUAL_CALLS } from './calls.ts';
import type { CallList } from './conventions.ts';
import { envelope, ignored, type Json, paginationOf } from './envelope.ts';
import { type ListEntity, type ListName, listEntries } from './list-entity.ts';
import { type BrapiScope, openScope } from './scope.ts';
import { findSearch, saveSearch } from './searches.queries.ts';
import { SPECIFICATION } from './specification.gen.ts';
import type { StoredFiles } from './stored-files.ts';

/** Entries of one page. */
const MOST_ENTRIES = 10_000;

/** What the routes share. */
export interface BrapiContext {
  app: App;
  services: Services;
  files: StoredFiles;
  calls: CallList;
}

/** Every signed-in person, with any token: each sees what he or she, and the token, may see. */
export const READING = { guard: 'signed-in', accessTokens: 'own-projects', readOnly: true, anyQuery: true } as const;

/** `warnings` receives what the answer has to say of files that could not be read. */
export const scopeOf = (
  { services, files }: BrapiContext,
  request: FastifyRequest,
  warnings: string[] = [],
): Promise<BrapiScope> => openScope(services, files, requirePrincipal(request), warnings);

/** `/germplasm/{germplasmDbId}` → `/germplasm/:germplasmDbId`. */
export const pathOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

export const queryOf = (request: FastifyRequest): Record<string, unknown> => request.query as Record<string, unknown>;

/** A question that GET and a saved search both ask. */
export interface Question {
  scope: BrapiScope;
  asked: Asked;
  /** Query or body as it came, for pages. */
  given: Json;
  warnings: string[];
  isSearch: boolean;
}

type Answer = (question: Question) => Promise<unknown>;

/** GET of the list, and POST and GET of its search. */
function registerAnswer(context: BrapiContext, name: ListName, hasSearch: boolean, answer: Answer): void {
  const { app, calls, services } = context;
  calls.add('GET', `/${name}`);
  app.get(`/${name}`, { config: READING }, async (request, reply) => {
    const asked = askedInQuery(queryOf(request), SPECIFICATION[name].parameters);
    const question = { asked, given: queryOf(request), warnings: ignored(asked.unknown), isSearch: false };
    return send(reply, await answer({ scope: await scopeOf(context, request, question.warnings), ...question }));
  });
  if (!hasSearch) return;
  calls.add('POST', `/search/${name}`);
  app.post(`/search/${name}`, { config: READING }, async (request, reply) => {
    const body = (request.body ?? {}) as Json;
    const searchResultsDbId = await saveSearch(services.db, requirePrincipal(request), name, body);
    return reply.status(202).send(envelope({ searchResultsDbId }));
  });
  calls.add('GET', `/search/${name}/{searchResultsDbId}`);
  app.get(`/search/${name}/:searchResultsDbId`, { config: READING }, async (request, reply) => {
    const { searchResultsDbId } = request.params as { searchResultsDbId: string };
    const body = await findSearch(services.db, requirePrincipal(request), name, searchResultsDbId);
    if (body === undefined) throw notFound('This search');
    const asked = askedInBody(body, SPECIFICATION[name].search);
    // The page of the search counts unless the request names another.
    const question = {
      asked,
      given: { ...body, ...queryOf(request) },
      warnings: ignored(asked.unknown),
      isSearch: true,
    };
    return send(reply, await answer({ scope: await scopeOf(context, request, question.warnings), ...question }));
  });
}

/** Answers that are made while they are sent are JSON text. */
function send(reply: FastifyReply, answer: unknown): FastifyReply {
  if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
    return reply
      .type('application/json; charset=utf-8')
      .send(Readable.from(answer as AsyncIterable<string>, { objectMode: false }));
  return reply.send(answer);
}

async function answerList(entity: ListEntity, { scope, asked, given, warnings }: Question): Promise<unknown> {
  const page = pageOf(given, MOST_ENTRIES, warnings, entity.hasLongPages ? MOST_ENTRIES : undefined);
  const { data, total } = await listEntries(entity, scope, asked, page);
  return envelope({ data }, warnings, paginationOf(page, total, entity.hasTokens));
}

/** All routes of a list: GET list, GET one, POST search, GET result. */
export function registerList(context: BrapiContext, entity: ListEntity): void {
  registerAnswer(context, entity.name, entity.hasSearch, (question) => answerList(entity, question));
  const { id } = entity;
  if (id === null || entity.hasOwnDetails === true) return;
  const { app, calls } = context;
  calls.add('GET', `/${entity.name}/{${id}}`);
  app.get(`/${entity.name}/:${id}`, { config: READING }, async (request) =>
    envelope(await findEntry(entity, await scopeOf(context, request), idIn(request, id))),
  );
}

export const idIn = (request: FastifyRequest, id: string): string =>
  (request.params as Record<string, string>)[id] ?? '';

/** The entry of an id; 404 when the caller sees none. */
export async function findEntry(entity: ListEntity, scope: BrapiScope, id: string): Promise<Json> {
  const asked = new Asked();
  asked.add(entity.id ?? '', [id]);
  const { data } = await listEntries(entity, scope, asked, { page: 0, size: 1 });
  if (data[0] === undefined) throw notFound(`This entry of ${entity.name}`);
  return data[0];
}

/** Entries in the order of their ids; undefined where the caller sees none. */
export async function entriesOfIds(
  entity: ListEntity,
  scope: BrapiScope,
  ids: readonly string[],
): Promise<(Json | undefined)[]> {
  const id = entity.id ?? '';
  const asked = new Asked();
  asked.add(id, [...new Set(ids)]);
  const { data } = await listEntries(entity, scope, asked, { page: 0, size: ids.length });
  const byId = new Map(data.map((entry) => [entry[id], entry]));
  return ids.map((one) => byId.get(one));
}

/**
 * A list of what belongs to one entry: `/variantsets/{variantSetDbId}/callsets` is `/callsets` with a filter. 404
 * when there is no such entry.
 */
export function registerPart(context: BrapiContext, of: ListEntity, part: ListEntity | 'calls'): void {
  const { app, calls } = context;
  const id = of.id ?? '';
  const name = part === 'calls' ? part : part.name;
  const path = `/${of.name}/{${id}}/${name}`;
  calls.add('GET', path);
  app.get(pathOf(path), { config: READING }, async (request, reply) => {
    const scope = await scopeOf(context, request);
    await findEntry(of, scope, idIn(request, id));
    const asked = askedInQuery(queryOf(request), SPECIFICATION[name].parameters);
    const given = asked.take(id);
    // Both the address and the query may name one; an entry of another set is none of this one.
    if (given !== undefined && !given.includes(idIn(request, id))) asked.unknown.push(id);
    asked.set(id, [idIn(request, id)]);
    const question = { scope, asked, given: queryOf(request), warnings: ignored(asked.unknown), isSearch: false };
    return send(reply, part === 'calls' ? await answerCalls(question) : await answerList(part, question));
  });
}

async function answerCalls({ scope, asked, given, warnings, isSearch }: Question): Promise<unknown> {
  const page: PageRequest = pageOf(given, MOST_CALLS, warnings, USUAL_CALLS);
  return await callsPage(scope, asked, page, { warnings, expandsByDefault: !isSearch });
}

/** Genotypes: as single calls, and as a matrix. */
export function registerCalls(context: BrapiContext): void {
  registerAnswer(context, 'calls', true, answerCalls);
  // brapiR2 takes a collapsed homozygote of a GET for missing; QBMS expects them collapsed in a search.
  registerAnswer(context, 'allelematrix', true, ({ scope, asked, given, warnings, isSearch }) =>
    alleleMatrix(scope, asked, { given, warnings, expandsByDefault: !isSearch }),
  );
}
