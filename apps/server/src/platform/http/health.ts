import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from './app.ts';

const CHECK_TIMEOUT_MS = 3_000;

/** `/healthz`: the process lives. `/readyz`: it can work; 503 and what is missing otherwise. */
export function registerHealth(app: FastifyInstance, { db, storage, jobs }: Services): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    const checks = {
      database: await passes(() => sql`select 1`.execute(db)),
      storage: await passes(() => storage.check()),
      queue: await passes(() => jobs.check()),
    };
    const ready = Object.values(checks).every((result) => result === 'ok');
    if (!ready) request.log.warn({ checks }, 'not ready');
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', checks });
  });
}

/** `ok` or why not; the reason is short and shows no internals. */
async function passes(check: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return 'ok';
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
