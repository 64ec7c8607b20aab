import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Database, Queryable } from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';
import type { JobDefinition } from './job.ts';
import type { JobQueue, JobReference } from './job-queue.ts';

/** A worker that is silent for this long is dead and its job goes to another (about 12 s after a SIGKILL, all in all). */
const HEARTBEAT_SECONDS = 10;
/** How often the queue looks for silent workers and for flows whose chunks are done. */
const SUPERVISE_SECONDS = 5;
const FLOW_SECONDS = 1;

/** What the queue of a job needs to know of it. */
type QueueSettings = Pick<JobDefinition<unknown>, 'name' | 'retryLimit' | 'retryDelaySeconds' | 'expireInSeconds'>;

export interface PgBossQueue extends JobQueue {
  readonly boss: PgBoss;
  /** Makes the queue of a definition and the one its hopeless jobs end in. Cheap when they exist. */
  ensureQueue(definition: QueueSettings): Promise<void>;
  close(): Promise<void>;
}

export interface PgBossQueueOptions {
  url: string;
  db: Database;
  logger: Logger;
  /** Workers watch over the queues; a process that only enqueues does not. */
  supervise: boolean;
}

/** The queue in the same PostgreSQL as the rows, so that a change and its job are one transaction. */
export async function openPgBossQueue({ url, db, logger, supervise }: PgBossQueueOptions): Promise<PgBossQueue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'heterosis-queue',
    max: supervise ? 6 : 3,
    schema: 'pgboss',
    supervise,
    schedule: false,
    useListenNotify: supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    flowIntervalSeconds: FLOW_SECONDS,
  });
  boss.on('error', (error) => logger.warn({ err: error }, 'job queue'));
  await boss.start();
  const known = new Map<string, Promise<void>>();

  const ensureQueue = (definition: QueueSettings): Promise<void> => {
    let made = known.get(definition.name);
    if (!made) {
      made = createQueues(boss, definition).catch((error: unknown) => {
        known.delete(definition.name);
        throw error;
      });
      known.set(definition.name, made);
    }
    return made;
  };

  return {
    boss,
    ensureQueue,
    async enqueue(queryable, job, payload, options = {}) {
      await ensureQueue(job);
      const id = await boss.send(job.name, job.payload.parse(payload) as object, {
        db: fromKysely(queryable),
        ...(options.priority === undefined ? {} : { priority: options.priority }),
        ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds }),
      });
      if (id === null) throw new Error(`The queue took no job ${job.name}`);
      return { queue: job.name, id };
    },
    async enqueueFlow(queryable, { chunk, chunks, reduce, payload }) {
      await ensureQueue(chunk);
      await ensureQueue(reduce);
      const refs = chunks.map((_, index) => `chunk-${index}`);
      const ids = await boss.flow(
        [
          ...chunks.map((data, index) => ({
            ref: `chunk-${index}`,
            name: chunk.name,
            data: chunk.payload.parse(data) as object,
          })),
          { ref: 'reduce', name: reduce.name, data: reduce.payload.parse(payload) as object, dependsOn: refs },
        ],
        { db: fromKysely(queryable) },
      );
      const reference = (queue: string, ref: string): JobReference => {
        const id = ids[ref];
        if (id === undefined) throw new Error(`The queue took no job for ${ref}`);
        return { queue, id };
      };
      return { chunks: refs.map((ref) => reference(chunk.name, ref)), reduce: reference(reduce.name, 'reduce') };
    },
    async cancel(queryable: Queryable, ...jobs) {
      for (const { queue, id } of jobs) await boss.cancel(queue, id, { db: fromKysely(queryable) });
    },
    async check() {
      await sql`select version from pgboss.version`.execute(db);
    },
    close: () => boss.stop({ graceful: true, timeout: 20_000 }),
  };
}

/** Where jobs end that failed for good without a handler being there to tell: their workers were killed again and again. */
export function hopelessQueue(name: string): string {
  return `${name}.hopeless`;
}

async function createQueues(boss: PgBoss, definition: QueueSettings): Promise<void> {
  const options = {
    retryLimit: definition.retryLimit,
    retryDelay: definition.retryDelaySeconds,
    expireInSeconds: definition.expireInSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    notify: true,
  };
  await boss.createQueue(hopelessQueue(definition.name), { retryLimit: 5, retryDelay: 5, notify: true });
  await boss.createQueue(definition.name, { ...options, deadLetter: hopelessQueue(definition.name) });
  await boss.updateQueue(definition.name, options);
}
