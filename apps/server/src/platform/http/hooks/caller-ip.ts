import type { FastifyInstance } from 'fastify';

/** Stands for every caller whose connection was closed before the server could ask for its address. */
const GONE = 'gone';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the caller, for limits and logs. */
    callerIp: string;
  }
}

/**
 * Notes the address of the caller when a request begins. Of a closed connection there is none any more: limits count
 * all such callers as one, so that closing the connection at once is no way around them.
 */
export function registerCallerIp(app: FastifyInstance): void {
  app.decorateRequest('callerIp', GONE);
  app.addHook('onRequest', (request, _reply, done) => {
    request.callerIp = (request.ip as string | undefined) ?? GONE;
    done();
  });
}
