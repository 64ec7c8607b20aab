import { Readable } from 'node:stream';
import {
  COSTLY_PER_MINUTE,
  type Endpoint,
  type Endpoints,
  type InputOf,
  parametersOf,
  TABLE_TYPES,
} from '@heterosis/contracts/endpoint';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import * as z from 'zod';
import type { Queryable } from '../database/database.ts';
import { contentDisposition } from '../object-storage/content-disposition.ts';
import { type RowsPage, sendWholeTable, wantedTable } from '../result-tables/whole-tables.ts';
import type { OrganizationAccess, Principal, ProjectAccess } from './access.ts';
import type { FeatureRoutes, Services } from './app.ts';

/** What a function of a service works with: the services, and who asks. */
export interface Call {
  services: Services;
  /** For the audit log; absent where no request asks. */
  requestId?: string | undefined;
}

/** Where the request of a call comes from. */
export interface Caller {
  callerIp: string;
  /** How the browser or script names itself. */
  userAgent: string | undefined;
}

export interface SignedInCall extends Call {
  principal: Principal;
}

/** A call that the guard of an organization let through. */
export interface OrganizationCall extends SignedInCall {
  access: OrganizationAccess;
}

/** A call that the guard of a project let through. */
export interface ProjectCall extends SignedInCall {
  access: ProjectAccess;
}

/** What reading in a project needs of a call: within transactions and for jobs there is no more. */
export interface ProjectReading {
  services: { db: Queryable };
  access: Pick<ProjectAccess, 'projectId'>;
}

type CallOf<Guard> = Guard extends { project: string }
  ? ProjectCall
  : Guard extends { organization: string }
    ? OrganizationCall
    : Guard extends 'public'
      ? Call
      : SignedInCall;

/** A file as an answer. Its type is the first that the endpoint names, unless it says another. */
export interface Download {
  bytes: string | Uint8Array | Readable | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  contentType?: string;
  /** It is offered for saving under this name. */
  fileName?: string;
}

/** The reply itself: the function has sent it. */
type AnswerOf<Row extends Endpoint> =
  | FastifyReply
  | (Row extends { answer: infer Answer extends z.ZodType }
      ? z.input<Answer>
      : Row extends { media: readonly string[] }
        ? Download
        : void);

/** What only a few functions need: those that read streams, cookies or headers. */
export interface Http {
  request: FastifyRequest;
  reply: FastifyReply;
}

type Handlers<Table extends Endpoints, More> = {
  [Name in keyof Table]: (
    call: CallOf<Table[Name]['guard']> & Caller & More,
    input: InputOf<Table[Name]>,
    http: Http,
  ) => AnswerOf<Table[Name]> | Promise<AnswerOf<Table[Name]>>;
};

type Handler = (call: unknown, input: unknown, http: Http) => unknown;

/**
 * The routes of a table of endpoints, each answered by the function of its name: given a call
 * (services, who asks, and `more`) and the input that the table describes.
 */
export const bind =
  <Table extends Endpoints, More extends object = Record<never, never>>(
    table: Table,
    handlers: Handlers<Table, More>,
    ...[more]: Record<never, never> extends More ? [more?: More] : [more: More]
  ): FeatureRoutes =>
  (app, services) => {
    for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
      const answer = handlers[name] as Handler;
      const { method, path, head = true, media, fileName, table } = endpoint;
      app.route({
        method,
        url: path,
        config: configOf(endpoint),
        ...(head ? {} : { exposeHeadRoute: false }),
        schema: schemaOf(endpoint),
        handler: (async (request, reply) => {
          const { id: requestId, principal, callerIp, query, body } = request;
          const userAgent = request.headers['user-agent'];
          const access = request.projectAccess ?? request.organizationAccess;
          const call = { ...more, services, requestId, principal, access, callerIp, userAgent };
          const input = { ...(request.params as object), query, body };
          const type = table && wantedTable(request);
          if (type !== undefined)
            return sendWholeTable(
              { request, reply },
              {
                ...{ config: services.config, type },
                readPage: async (page) =>
                  (await answer(
                    call,
                    { ...input, query: { ...(query as object), ...page } },
                    { request, reply },
                  )) as RowsPage,
              },
            );
          const answered = await answer(call, input, { request, reply });
          if (answered === reply || reply.sent) return reply;
          reply.status(statusOf(endpoint));
          if (media !== undefined) return sendDownload(reply, media, answered as Download);
          if (fileName !== undefined) reply.header('content-disposition', contentDisposition(fileName));
          return reply.send(endpoint.answer === undefined ? null : answered);
        }) as RouteHandlerMethod,
      } as Parameters<typeof app.route>[0]);
    }
  };

const statusOf = ({ status, answer, media }: Endpoint): number =>
  status ?? (answer === undefined && media === undefined ? 204 : 200);

function configOf({ costly, perMinute = costly && COSTLY_PER_MINUTE, ...endpoint }: Endpoint): FastifyContextConfig {
  const { method, path, params, query, body, answer, status, summary, description, head, fileName, ...rules } =
    endpoint;
  return { ...rules, ...(perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: '1 minute' } }) };
}

const WHOLE_TABLE = `With \`Accept: ${TABLE_TYPES[0]}\` or \`${TABLE_TYPES[1]}\` all rows come as one file, whole or by ranges; \`limit\` and \`cursor\` are then not read.`;

function schemaOf(endpoint: Endpoint): object {
  const { summary, query, body, answer, media, table } = endpoint;
  const description = [endpoint.description, table && WHOLE_TABLE].filter(Boolean).join(' ');
  const params = parametersOf(endpoint);
  const status = statusOf(endpoint);
  return {
    summary,
    ...(description === '' ? {} : { description }),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    ...(media === undefined ? { response: { [status]: answer ?? z.null() } } : {}),
  };
}

function sendDownload(reply: FastifyReply, media: readonly string[], answer: Download): FastifyReply {
  const { bytes, contentType = withCharset(media[0] ?? ''), fileName } = answer;
  if (fileName !== undefined) reply.header('content-disposition', contentDisposition(fileName));
  return reply.type(contentType).send(payloadOf(bytes));
}

const withCharset = (type: string): string => (type.startsWith('text/') ? `${type}; charset=utf-8` : type);

function payloadOf(bytes: Download['bytes']): string | Buffer | Readable {
  if (typeof bytes === 'string' || bytes instanceof Readable) return bytes;
  if (bytes instanceof Uint8Array) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Readable.from(bytes);
}
