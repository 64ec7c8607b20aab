import fastifySwagger from '@fastify/swagger';
import { invalidParam, problem } from '@heterosis/contracts/problem';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { renderApiPage } from './api-page.ts';

/** `GET /api/openapi.json` and the same as a page at `/api/docs`. */
export async function registerOpenApi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Heterosis',
        version: config.version,
        description:
          'Genotypes, phenotypes, genomic prediction, GWAS and crossing simulation. Lists are paged by `limit` and `cursor`. Failures are `application/problem+json` (RFC 9457) with a stable `code`. A POST may carry `Idempotency-Key`.',
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'Access token of POST /api/auth/token, or a personal access token',
          },
        },
        schemas: {
          Problem: z.toJSONSchema(problem, { target: 'draft-2020-12' }) as object,
          InvalidParam: z.toJSONSchema(invalidParam) as object,
        },
      },
    },
    hideUntagged: false,
    transform: (document) => {
      const { schema = {}, url } = jsonSchemaTransform(document as Parameters<typeof jsonSchemaTransform>[0]);
      if (!url.startsWith('/api')) return { url, schema: { hide: true } };
      const guard = document.route.config?.guard;
      const tag = url.split('/').filter((part) => part !== '' && !part.startsWith(':') && part !== 'api')[0];
      const last =
        url
          .split('/')
          .filter((part) => part !== '' && !part.startsWith(':'))
          .at(-1) ?? 'api';
      const group = tag === 'projects' || tag === 'organizations' ? groupOf(url, tag) : (tag ?? last);
      return {
        url,
        schema: {
          tags: [group],
          ...schema,
          ...(guard === undefined || guard === 'public' ? {} : { security: [{ bearer: [] }] }),
          response: {
            ...(schema.response as object | undefined),
            default: {
              description: 'A failure',
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          },
        },
      };
    },
  });

  let page: string | undefined;
  app.get('/api/openapi.json', { schema: { hide: true }, config: { guard: 'public' } }, async () => app.swagger());
  app.get('/api/docs', { schema: { hide: true }, config: { guard: 'public' } }, async (_request, reply) => {
    page ??= renderApiPage(app.swagger() as unknown as Parameters<typeof renderApiPage>[0]);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

/** `/projects/{id}/models/…` belongs to models, `/projects/{id}` to projects. */
function groupOf(url: string, scope: string): string {
  const parts = url.split('/');
  return parts[parts.indexOf(scope) + 2] ?? scope;
}
