import type { FastifyInstance } from 'fastify';
import type { OpenSpan } from '../../tracing/spans.ts';
import { startSpan } from '../../tracing/tracing.ts';
import { isApiRequest } from '../api-route.ts';

const SPAN = Symbol('span');

declare module 'fastify' {
  interface FastifyRequest {
    [SPAN]?: OpenSpan | undefined;
  }
}

/** A span for each request of the API, named by its route, with ids alone. */
export function registerTraces(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = isApiRequest(request)
      ? startSpan(request.method, {
          kind: 'server',
          parent: typeof traceparent === 'string' ? traceparent : undefined,
          attributes: { 'http.request.method': request.method, 'heterosis.request_id': request.id },
        })
      : undefined;
    request[SPAN] = span;
    if (span === undefined) done();
    else span.within(done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const span = request[SPAN];
    if (span === undefined) return;
    // The pattern, not the address.
    const route = request.routeOptions.url ?? 'none';
    span.rename(`${request.method} ${route}`);
    span.set({
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'heterosis.user_id': request.principal?.userId,
      'heterosis.organization_id': (request.projectAccess ?? request.organizationAccess)?.organizationId,
      'heterosis.project_id': request.projectAccess?.projectId,
    });
    if (reply.statusCode >= 500) span.fail(String(reply.statusCode));
    span.end();
  });
}
