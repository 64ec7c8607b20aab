import { type ConstructorOptions, PgBoss, type QueueOptions } from 'pg-boss';
import type { Logger } from '../logging/logger.ts';
import type { JobDefinition, Lane } from './job.ts';
import type { JobReference } from './job-queue.ts';

/** Seconds without a heartbeat after which a worker has lost its job. pg-boss allows no less than 10. */
const HEARTBEAT_SECONDS = 10;
/**
 * Interval of the search for dead workers. Together with the heartbeat, the job of a killed worker is taken over in
 * about 15 s.
 */
const SUPERVISE_SECONDS = 5;
const RETRY_DELAY_MAX_SECONDS = 300;
/** Defaults of a queue; a job may override them. */
const RETRY_LIMIT = 3;
/** Suffix of the dead-letter queue. */
const FAILED = '.failed';
const FAILED_RETRY_LIMIT = 20;

export const queueOf = (lane: Lane): string => `lane-${lane}`;
export const failedQueueOf = (queue: string): string => `${queue}${FAILED}`;

/** Data of a queued job: its name, its payload and, for a chunk of a flow, the job that waits for it. */
export interface JobEnvelope {
  job: string;
  payload: unknown;
  /** For whom a single job is done, and who requested it. */
  organization?: string;
  person?: string;
  /** How often its handler has failed; see {@link retryOptions}. */
  failures?: number;
  reduce?: JobReference;
  /** Header `traceparent` of what has enqueued it. */
  trace?: string;
}

/**
 * How often a job may lose its worker, or meet an outage: with pauses that grow to five minutes, more than an hour.
 * pg-boss counts lost workers, shutdowns and failures of the handler together. A worker that is killed or restarted is
 * no fault of the job, nor is an outage, so the worker counts the failures itself, and pg-boss only ends what keeps
 * losing its workers.
 */
const LOST_LIMIT = 20;

/** Retry options of a job in pg-boss's format. */
export const retryOptions = ({ retryLimit, retryDelaySeconds, expireInSeconds }: JobDefinition<unknown>) => ({
  retryLimit: retryLimit + LOST_LIMIT,
  retryDelay: retryDelaySeconds,
  expireInSeconds,
});

export interface BossOptions {
  url: string;
  logger: Logger;
  /** Workers listen for jobs and maintain the queues; the API only enqueues. */
  role: 'sender' | 'worker';
}

/** Starts pg-boss; creates or migrates its schema when needed, safe under concurrent starts. */
export async function startBoss({ url, logger, role }: BossOptions): Promise<PgBoss> {
  const worker = role === 'worker';
  const options: ConstructorOptions = {
    connectionString: url,
    application_name: `heterosis-${role}`,
    max: worker ? 6 : 2,
    schedule: false,
    supervise: worker,
    useListenNotify: worker,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    flowIntervalSeconds: 1,
  };
  const boss = new PgBoss(options);
  let log = logOnceInAWhile(logger);
  boss.on('error', (error) => log(error));
  // A connection that was just being opened is cut by the end of an embedded database.
  boss.on('stopped', () => {
    log = () => {};
  });
  boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch((reason: unknown) => logger.debug({ err: reason }, 'job queue'));
    throw error;
  }
  return boss;
}

/**
 * Every consumer polls twice a second, and each poll fails while the database is unreachable or its disk full. Log it
 * once.
 */
const SAME_ERROR_MS = 30_000;

function logOnceInAWhile(logger: Logger): (error: Error) => void {
  const seen = new Map<string, { loggedAt: number; since: number }>();
  return (error) => {
    // The rest of the message names the queue and the consumer.
    const [what = ''] = error.message.split(' (Queue: ');
    const { loggedAt, since } = seen.get(what) ?? { loggedAt: Number.NEGATIVE_INFINITY, since: 0 };
    if (performance.now() - loggedAt < SAME_ERROR_MS) {
      seen.set(what, { loggedAt, since: since + 1 });
      return;
    }
    seen.set(what, { loggedAt: performance.now(), since: 0 });
    logger.error({ err: error, ...(since > 0 ? { repeated: since } : {}) }, 'job queue');
  };
}

/** Creates the queue of a lane and its dead-letter queue, or updates their settings. */
export async function ensureQueue(boss: PgBoss, lane: Lane): Promise<void> {
  const queue = queueOf(lane);
  await createOrUpdate(boss, failedQueueOf(queue), {
    retryLimit: FAILED_RETRY_LIMIT,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: RETRY_DELAY_MAX_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  });
  await createOrUpdate(boss, queue, {
    deadLetter: failedQueueOf(queue),
    retryLimit: RETRY_LIMIT,
    retryBackoff: true,
    retryDelayMax: RETRY_DELAY_MAX_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  });
}

async function createOrUpdate(
  boss: PgBoss,
  name: string,
  options: QueueOptions & { deadLetter?: string },
): Promise<void> {
  const settings = { ...options, notify: true };
  const existing = await boss.getQueue(name);
  // Creating a queue that another process has just created does nothing.
  if (existing === null) await boss.createQueue(name, settings);
  else if (Object.entries(settings).some(([key, value]) => existing[key as keyof typeof existing] !== value))
    await boss.updateQueue(name, settings);
}
