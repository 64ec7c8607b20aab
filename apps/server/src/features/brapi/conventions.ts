import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { logProblem, toProblem } from '../../platform/http/error-handler.ts';
import { notFound, type Problem } from '../../platform/http/problem.ts';
import type { Json } from './envelope.ts';

/** What BrAPI does otherwise than our own API: failures are plain text, and pages of other sites may call it. */
export function followConventions(app: App): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendPlain(toProblem(error), error, request, reply));
  app.setNotFoundHandler((request, reply) => sendPlain(notFound(), undefined, request, reply));
  // Bearer tokens only: a browser sends no cookie to us that another site could use.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
  });
  app.options('/*', { config: { guard: 'public', anyQuery: true } }, async (_request, reply) =>
    reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, OPTIONS')
      .header('access-control-allow-headers', 'authorization, content-type, accept')
      .header('access-control-max-age', '86400')
      .send(),
  );
  // Sign-in forms of some clients.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

function sendPlain(problem: Problem, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  logProblem(problem, error, request);
  return reply
    .status(problem.status)
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(problem.message);
}

/** A call that the server offers. */
interface Call {
  service: string;
  methods: string[];
}

/** The calls that have been registered, for `serverinfo`. */
export class CallList {
  readonly #calls = new Map<string, Call>();
  #entries: readonly Json[] | undefined;

  /** `path` as in the standard: `/germplasm/{germplasmDbId}`. */
  add(method: string, path: string): void {
    const service = path.slice(1);
    const call = this.#calls.get(service) ?? { service, methods: [] };
    call.methods.push(method);
    this.#calls.set(service, call);
    this.#entries = undefined;
  }

  entries(): readonly Json[] {
    return (this.#entries ??= [...this.#calls.values()].map(({ service, methods }) => {
      const types = service.endsWith('/table') ? ['application/json', 'text/csv', 'text/tsv'] : ['application/json'];
      return { service, methods, contentTypes: types, dataTypes: types, versions: ['2.0', '2.1'] };
    }));
  }
}
