import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { JobQueue } from '../job-queue/job-queue.ts';
import type { ObjectStorage } from '../object-storage/object-storage.ts';

/** What must work for requests to be answered. */
interface Dependencies {
  db: Database;
  storage: ObjectStorage;
  jobs: JobQueue;
}

const CHECK_TIMEOUT_MS = 3_000;
/** How long the result of a storage check is reused. */
const STORAGE_CHECK_HOLDS_MS = 5_000;

/** `/healthz`: the process is alive. `/readyz`: it can work; otherwise 503 with what is missing. */
export function registerHealth(app: FastifyInstance, { db, storage, jobs }: Dependencies): void {
  // The check writes to the storage and anyone may call this at any rate, so the result is cached.
  let stored: { askedAt: number; answer: Promise<void> } | undefined;
  const checkStorage = (): Promise<void> => {
    if (stored === undefined || performance.now() - stored.askedAt > STORAGE_CHECK_HOLDS_MS)
      stored = { askedAt: performance.now(), answer: storage.check() };
    return stored.answer;
  };

  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    const checks = {
      database: await passes('database', () => sql`select 1`.execute(db), request.log),
      storage: await passes('storage', checkStorage, request.log),
      queue: await passes('queue', () => jobs.check(), request.log),
    };
    const ready = Object.values(checks).every((result) => result === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', checks });
  });
}

/** `ok` or `failed`; the reason goes to the log. */
async function passes(what: string, check: () => Promise<unknown>, log: FastifyBaseLogger): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return 'ok';
  } catch (error) {
    log.warn({ err: error, what }, 'not ready');
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
