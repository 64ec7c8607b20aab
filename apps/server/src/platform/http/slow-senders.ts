import type { FastifyInstance } from 'fastify';
import { isStorageRequest } from './api-route.ts';

/** A body of an API call has 2 MB at most: on the slowest line that takes a minute. */
const BODY_MS = 60_000;
/** A connection on which nothing moves for this long is closed; event streams say every 15 s that they live. */
export const IDLE_MS = 5 * 60_000;

/**
 * Cuts off who sends a body drop by drop: each would hold a connection for ever. Uploads to a signed address take as long as
 * their bytes need, and only {@link IDLE_MS} ends them.
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
