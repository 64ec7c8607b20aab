import type { FastifyError } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { sendPlainProblem, toProblem } from '../../platform/http/error-handler.ts';
import { registerJsonBody } from '../../platform/http/hooks/json-body.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Json } from './envelope.ts';

/** All addresses below the prefix of `app` are calls of BrAPI, also those that it does not have. */
export function followConventions(app: App): void {
  followConventionsAt(app, '/*');
  app.setNotFoundHandler((request, reply) => sendPlainProblem(notFound(), undefined, request, reply));
}

/** What BrAPI does otherwise than our own API: failures are plain text, and pages of other sites may call it. */
export function followConventionsAt(app: App, path: string): void {
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendPlainProblem(toProblem(error), error, request, reply),
  );
  // Bearer tokens only: a browser sends no cookie to us that another site could use.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
  });
  app.options(path, { config: { guard: 'public', anyQuery: true } }, async (_request, reply) =>
    reply
      .status(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, OPTIONS')
      .header('access-control-allow-headers', 'authorization, content-type, accept')
      .header('access-control-max-age', '86400')
      .send(),
  );
  // BrAPI-js names the type of JSON also when it has nothing to say.
  registerJsonBody(app, { empty: () => ({}) });
  // Sign-in forms of some clients.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
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
