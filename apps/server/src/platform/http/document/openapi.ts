import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifySwagger from '@fastify/swagger';
import { TABLE_TYPES } from '@heterosis/contracts/endpoint';
import { invalidParam, problem } from '@heterosis/contracts/problem';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { guideMarkdown } from './api-guide.ts';
import { renderApiPage } from './api-page.ts';

/** Shown on the page and run by a test. */
const EXAMPLE_SCRIPT = join(import.meta.dirname, '../../../../../../docs/example.py');

type Json = Record<string, unknown>;

interface Operation {
  parameters?: unknown[];
  security?: unknown[];
  responses: Record<string, { description: string; content?: unknown } | { $ref: string }>;
}

const PAGE_PARAMETERS = ['limit', 'cursor'];
const STATUS_WORDS: Record<string, string> = { 200: 'Done', 201: 'Made', 204: 'Done; there is no body' };

/** `GET /api/openapi.json` and the same as a page at `/api/docs`. */
export async function registerOpenApi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Heterosis',
        version: config.version,
        description: guideMarkdown(config.publicUrl),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'Personal access token, or access token of POST /api/auth/token',
          },
        },
        parameters: {
          IdempotencyKey: {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description: 'The same request with the same key is carried out once.',
            schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
          },
        },
        responses: {
          Problem: {
            description: 'A failure',
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
        schemas: {
          Problem: withoutDialect(z.toJSONSchema(problem)),
          InvalidParam: withoutDialect(z.toJSONSchema(invalidParam)),
        },
      },
    },
    hideUntagged: false,
    transform: (document) => {
      if (!document.url.startsWith('/api')) return { url: document.url, schema: { hide: true } };
      const { schema = {}, url } = jsonSchemaTransform(document as Parameters<typeof jsonSchemaTransform>[0]);
      const { guard, media, takes, form, table } = document.route.config ?? {};
      const {
        querystring,
        body,
        response = {},
      } = schema as Record<'querystring' | 'body' | 'response', Json | undefined>;
      return {
        url,
        schema: {
          ...schema,
          ...(body === undefined
            ? {}
            : { body: isPlainObject(body) ? { ...body, additionalProperties: false } : body }),
          ...(takes === undefined ? {} : { consumes: takes, body: BYTES }),
          ...(form === undefined ? {} : { consumes: [MULTIPART], body: formWithFile(form) }),
          tags: [groupOf(url)],
          operationId: operationIdOf(String(document.route.method), url, {
            isList: PAGE_PARAMETERS.every((name) => name in ((querystring?.['properties'] ?? {}) as Json)),
            makes: '201' in response,
          }),
          security: guard === undefined || guard === 'public' ? [] : [{ bearer: [] }],
          response: media === undefined ? response : { 200: { description: 'Done', content: contentOf(media) } },
          ...(table === true ? { response: orWholeTable(response) } : {}),
        },
      };
    },
    transformObject: (document) => {
      // Its types offer Swagger 2 and OpenAPI 3 at once, and let no operation be told from the other fields of a path.
      const whole = jsonSchemaTransformObject(document) as unknown as Json & {
        paths: Record<string, Record<string, Operation>>;
        components: { schemas: Json };
      };
      nameProperties(whole);
      for (const operations of Object.values(whole.paths))
        for (const [method, operation] of Object.entries(operations)) finishOperation(method, operation);
      dropUnusedSchemas(whole);
      return whole as ReturnType<typeof jsonSchemaTransformObject>;
    },
  });

  let page: string | undefined;
  app.decorate('prepareApiDocument', async () => {
    page ??= renderApiPage(app.swagger(), await readFile(EXAMPLE_SCRIPT, 'utf8'));
    return page;
  });
  app.get('/api/openapi.json', { schema: { hide: true }, config: { guard: 'public' } }, async () => app.swagger());
  app.get('/api/docs', { schema: { hide: true }, config: { guard: 'public' } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(await app.prepareApiDocument()),
  );
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the document and its page, which takes long, and returns the page. A server does so before it listens. */
    prepareApiDocument(): Promise<string>;
  }
}

function finishOperation(method: string, operation: Operation): void {
  const { responses, security } = operation;
  for (const [status, response] of Object.entries(responses)) {
    if ('$ref' in response) continue;
    response.description = STATUS_WORDS[status] ?? response.description;
    if (status === '204') delete response.content;
  }
  responses['4XX'] = { $ref: '#/components/responses/Problem' };
  responses['5XX'] = { $ref: '#/components/responses/Problem' };
  if (method === 'post' && security?.length !== 0)
    operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
}

/** Each named schema is emitted for requests and for responses; most are used in one of them only. */
function dropUnusedSchemas(document: Json & { components: { schemas: Json } }): void {
  const { schemas } = document.components;
  for (;;) {
    const used = new Set(JSON.stringify(document).match(/(?<="#\/components\/schemas\/)[^"]+/g));
    const unused = Object.keys(schemas).filter((name) => !used.has(name));
    if (unused.length === 0) return;
    for (const name of unused) delete schemas[name];
  }
}

/** A record whose keys are known gets a property for each: readers of the document know no `propertyNames`. */
function nameProperties(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const one of Object.values(part)) nameProperties(one);
  const { propertyNames, additionalProperties } = part as Json & { propertyNames?: { enum?: string[] } };
  if (propertyNames?.enum === undefined) return;
  const properties = Object.fromEntries(propertyNames.enum.map((name) => [name, additionalProperties]));
  Object.assign(part, { properties, additionalProperties: false });
  delete (part as Json)['propertyNames'];
}

const BYTES = { type: 'string', format: 'binary' };
const MULTIPART = 'multipart/form-data';

function formWithFile(fields: z.ZodObject): Json {
  const { properties, ...schema } = withoutDialect(z.toJSONSchema(fields, { io: 'input' })) as Json;
  return { ...schema, properties: { file: BYTES, ...(properties as Json) }, required: ['file'] };
}

const isPlainObject = (schema: Json): boolean => schema['type'] === 'object' && schema['properties'] !== undefined;

const contentOf = (media: readonly string[]): Json =>
  Object.fromEntries(media.map((type) => [type, { schema: type.startsWith('text/') ? { type: 'string' } : BYTES }]));

const orWholeTable = ({ 200: schema }: Json): Json => ({
  200: { description: 'Done', content: { 'application/json': { schema }, ...contentOf(TABLE_TYPES) } },
});

function withoutDialect({ $schema: _dialect, ...schema }: Json): object {
  return schema;
}

const partsOf = (url: string): string[] => url.split('/').filter((part) => part !== '' && part !== 'api');

/** `/projects/{id}/models/…` belongs to models, `/projects/{id}` to projects. */
function groupOf(url: string): string {
  const [scope = 'api', ...rest] = partsOf(url);
  const inside = rest.find((part) => !part.startsWith(':'));
  return (scope === 'projects' || scope === 'organizations') && inside !== undefined ? inside : scope;
}

const VERBS: Record<string, string> = { GET: 'get', POST: 'post', PUT: 'update', DELETE: 'delete' };

/**
 * Operation id for generated clients: `listProjectModels`, `createProjectModel`, `getProjectModel`,
 * `postProjectModelCancel`.
 */
function operationIdOf(method: string, url: string, { isList, makes }: { isList: boolean; makes: boolean }): string {
  const parts = partsOf(url);
  const nouns = parts.flatMap((part, index) => {
    if (part.startsWith(':')) return [];
    const isOne = parts[index + 1]?.startsWith(':') === true || (makes && index === parts.length - 1);
    const words = part.split(/[^A-Za-z0-9]+/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
    return [isOne && part !== 'gwas' ? words.join('').replace(/s$/, '') : words.join('')];
  });
  const verb = isList ? 'list' : makes ? 'create' : (VERBS[method] ?? method.toLowerCase());
  return `${verb}${nouns.join('')}`;
}
