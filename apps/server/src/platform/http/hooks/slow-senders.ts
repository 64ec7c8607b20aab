import type { FastifyInstance } from 'fastify';
import { isStorageRequest } from '../api-route.ts';

/** API bodies have at most 2 MB, which takes a minute on the slowest connections. */
const BODY_MS = 60_000;
/** Idle connections are closed after this long; event streams send a keep-alive every 15 s. */
export const IDLE_MS = 5 * 60_000;

/**
 * Disconnects clients that send a body very slowly and would hold a connection forever. Uploads to a signed address
 * may take as long as they need; only {@link IDLE_MS} applies to them.
 */
export function registerSlowSenders(app: FastifyInstance, bodyMs: number = BODY_MS): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (hasBody && !isStorageRequest(request)) {
      const timer = setTimeout(() => {
        request.log.warn('a request body took too long, its sender is cut off');
        raw.destroy();
      }, bodyMs);
      for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer));
    }
    done();
  });
}
