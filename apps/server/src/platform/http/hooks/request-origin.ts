import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { type Config, defaultPublicUrl } from '../../config/config.ts';

const origins = new AsyncLocalStorage<string>();

/** A host as a browser sends it: name, IPv4 or bracketed IPv6, and port. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i;

/**
 * Remembers the address by which a request reached the server, for links in its response. Used only without
 * PUBLIC_URL: the same server is then `localhost`, `127.0.0.1` or the host name, and a link to another of these is a
 * foreign origin to the browser. Never use it in mails to others: the client controls this header.
 */
export function registerRequestOrigin(app: FastifyInstance, config: Config): void {
  if (config.publicUrl !== defaultPublicUrl(config.host, config.port)) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const host = request.headers.host ?? '';
    if (HOST.test(host)) origins.run(`${request.protocol}://${host}`, done);
    else done();
  });
}

/** The address of the current request; undefined outside a request and when PUBLIC_URL is set. */
export function requestOrigin(): string | undefined {
  return origins.getStore();
}
