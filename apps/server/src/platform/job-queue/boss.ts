import { type ConstructorOptions, PgBoss, type QueueOptions } from 'pg-boss';
import type { Logger } from '../logging/logger.ts';
import type { JobDefinition, Lane } from './job.ts';
import type { JobReference } from './job-queue.ts';

/** A worker that has not been heard of for this long has lost its job. 10 is the least that pg-boss takes. */
const HEARTBEAT_SECONDS = 10;
/** How often dead workers are looked for; with the heartbeat a killed worker's job is taken over in about 15 s. */
const SUPERVISE_SECONDS = 5;
const RETRY_DELAY_MAX_SECONDS = 300;
/** Of a queue; a job that says otherwise carries it itself. */
const RETRY_LIMIT = 3;
/** Stands after the name of a queue for the one that gets its jobs which failed for good. */
const FAILED = '.failed';
const FAILED_RETRY_LIMIT = 20;

export const queueOf = (lane: Lane): string => `lane-${lane}`;
export const failedQueueOf = (queue: string): string => `${queue}${FAILED}`;

/** What lies in a queue: which job, its payload, and for a chunk of a flow the job that waits for it. */
export interface JobEnvelope {
  job: string;
  payload: unknown;
  /** Who asked for a single job. */
  organization?: string;
  reduce?: JobReference;
}

/** What a job says about its repetition, as pg-boss takes it with every job. */
export const retryOptions = ({ retryLimit, retryDelaySeconds, expireInSeconds }: JobDefinition<unknown>) => ({
  retryLimit,
  retryDelay: retryDelaySeconds,
  expireInSeconds,
});

export interface BossOptions {
  url: string;
  logger: Logger;
  /** A worker listens for new jobs and looks after the queues; the API only puts jobs in. */
  role: 'sender' | 'worker';
}

/** A started pg-boss; makes or migrates its schema when needed, also under concurrent starts. */
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
  boss.on('error', logOnceInAWhile(logger));
  boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  await boss.start();
  return boss;
}

/** All that take jobs ask twice a second; while the database is away or its disk full each of them fails each time. */
const SAME_ERROR_MS = 30_000;

function logOnceInAWhile(logger: Logger): (error: Error) => void {
  const seen = new Map<string, { loggedAt: number; since: number }>();
  return (error) => {
    // What follows names the queue and who asked.
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

/** Makes the queue of a lane and the one for its failures, or brings their settings up to date. */
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
  // Making a queue that another process has just made changes nothing.
  if (existing === null) await boss.createQueue(name, settings);
  else if (Object.entries(settings).some(([key, value]) => existing[key as keyof typeof existing] !== value))
    await boss.updateQueue(name, settings);
}
