import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { type Config, defaultPublicUrl } from '../config/config.ts';

const origins = new AsyncLocalStorage<string>();

/** A host as a browser sends it: name, IPv4 or bracketed IPv6, and port. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i;

/**
 * Remembers under which address a request reached us, for the links in its own answer. Only without PUBLIC_URL: then the
 * same server is `localhost`, `127.0.0.1` or the machine's name, and a link to another of these would be a foreign origin
 * to the browser. Never use it for what is sent to others (mails): the caller chooses this header.
 */
export function registerRequestOrigin(app: FastifyInstance, config: Config): void {
  if (config.publicUrl !== defaultPublicUrl(config.host, config.port)) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const host = request.headers.host ?? '';
    if (HOST.test(host)) origins.run(`${request.protocol}://${host}`, done);
    else done();
  });
}

/** The address of the request being answered; undefined outside of one, and when PUBLIC_URL says how we are reached. */
export function requestOrigin(): string | undefined {
  return origins.getStore();
}
