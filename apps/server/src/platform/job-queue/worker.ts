import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';
import { traced } from '../tracing/tracing.ts';
import { ensureQueue, failedQueueOf, type JobEnvelope, queueOf } from './boss.ts';
import { cancelFlow, handOn, keepFailures } from './boss-queue.ts';
import {
  type JobContext,
  type JobDefinition,
  type JobFailure,
  type JobRegistration,
  type Lane,
  UnrecoverableJobError,
} from './job.ts';
import { isOutage, isStorageFull } from './outage.ts';
import { createRoom, type Offer, TooSmallError } from './room.ts';
import { enlist, hasRoomFor } from './workers.ts';

export interface WorkerOptions {
  boss: PgBoss;
  db: Database;
  logger: Logger;
  registrations: readonly JobRegistration[];
  /** Most concurrent jobs per lane in this process; mails are sent one by one. */
  concurrency: number;
  offer: Offer;
}

export interface Worker {
  /** Stops taking jobs, aborts the running ones (other workers take them over) and waits up to `timeoutMs` for them. */
  stop(timeoutMs: number): Promise<void>;
}

/** For what becomes due without a notification: retries, and the last step of a flow. */
const POLLING_SECONDS = 1;
/** Final failures are rare, so this poll may be slow. */
const FAILED_POLLING_SECONDS = 2;
/**
 * A job that this worker is too small for is offered to the others after this time, and up to a second more by chance:
 * workers look once a second, and one that looked just then would take the job again each time.
 */
const HANDED_ON_SECONDS = 4;
/** A job that found the disk full is tried again after this time. */
const SPACE_SECONDS = 30;
/** Seconds until a running job learns that it was cancelled or taken over. */
const CANCEL_REACHES_SECONDS = 1;

/**
 * Takes jobs from the queues of `registrations` and runs their handlers until stopped. Takes none when a queue cannot
 * be made.
 */
export async function startWorker({
  boss,
  db,
  logger,
  registrations,
  concurrency,
  offer,
}: WorkerOptions): Promise<Worker> {
  const room = createRoom(offer);
  const leave = await enlist(db, offer, logger);
  const shutdown = new AbortController();
  const running = new Set<Promise<JobResult[]>>();

  const tracked = (work: Promise<JobResult[]>): Promise<JobResult[]> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };

  const byName = new Map(registrations.map((registration) => [registration.definition.name, registration]));
  const lanes = new Set(registrations.map(({ definition }) => definition.lane));
  for (const lane of lanes) await ensureQueue(boss, lane);
  for (const lane of lanes) {
    const queue = queueOf(lane);
    const options = {
      includeMetadata: true,
      perJobResults: true,
      pollingIntervalSeconds: POLLING_SECONDS,
      notifyPollingIntervalSeconds: POLLING_SECONDS,
      heartbeatRefreshSeconds: CANCEL_REACHES_SECONDS,
    } as const;
    const failedOptions = {
      ...options,
      pollingIntervalSeconds: FAILED_POLLING_SECONDS,
      notifyPollingIntervalSeconds: FAILED_POLLING_SECONDS,
    };
    for (let place = 0; place < placesFor(lane, concurrency); place++) {
      const worker: string = await boss.work<JobEnvelope, unknown, typeof options>(queue, options, (jobs) =>
        // It looks for the next job at once, of which it may have been told while it was at work.
        tracked(Promise.all(jobs.map((job) => inTrace(job, runJob)))).finally(() => boss.notifyWorker(worker)),
      );
    }
    await boss.work<JobEnvelope, unknown, typeof failedOptions>(failedQueueOf(queue), failedOptions, (jobs) =>
      tracked(Promise.all(jobs.map(settleFailure))),
    );
  }

  async function runJob(job: JobWithMetadata<JobEnvelope>): Promise<JobResult> {
    const registration = byName.get(job.data.job);
    // A newer process enqueued it; a retry reaches a worker that knows it.
    if (registration === undefined)
      return {
        id: job.id,
        status: 'failed',
        output: failure('jobs/unknown', `This worker does not know the job ${job.data.job}.`),
      };
    const { definition, handler } = registration;
    const log = logger.child({ job: definition.name, job_id: job.id, attempt: job.retryCount + 1 });
    const signal = AbortSignal.any([job.signal, shutdown.signal]);
    const parsed = definition.payload.safeParse(job.data.payload);
    if (!parsed.success) {
      log.error({ err: parsed.error }, 'payload does not fit');
      return { id: job.id, status: 'deadletter', output: failure('jobs/bad-payload', 'The job could not be read.') };
    }
    // pg-boss itself ends an attempt that takes too long; the next one counts it.
    const failed = (job.data.failures ?? 0) + (hasTimedOut(job.output) ? 1 : 0);
    if (failed > definition.retryLimit) return { id: job.id, status: 'deadletter', output: timedOut() };
    let giveBack = (): void => {};
    const context: JobContext<unknown> = {
      id: job.id,
      payload: parsed.data,
      attempt: job.retryCount + 1,
      signal,
      async reserve(needs) {
        giveBack = await room.take(needs, signal);
      },
    };
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    try {
      log.info('job started');
      await handler(context);
      log.info({ ms: elapsed() }, 'job done');
      return { id: job.id, status: 'completed' };
    } catch (error) {
      const output = failureOf(error);
      // Cancelled or taken over: the row already says so, and the result is ignored. Or the worker stops, and another
      // takes the job.
      if (signal.aborted) {
        log.info({ ms: elapsed(), err: error }, 'job aborted');
        return { id: job.id, status: 'failed', output };
      }
      if (error instanceof TooSmallError) return await passOn(job, error);
      if (isRun(definition) && isStorageFull(output)) return await waitForSpace(db, job, log, error);
      log.error({ ms: elapsed(), err: error }, 'job failed');
      if (error instanceof UnrecoverableJobError) return { id: job.id, status: 'deadletter', output };
      if (!isFaultless(definition, output)) {
        if (failed + 1 > definition.retryLimit) return { id: job.id, status: 'deadletter', output };
        await keepFailures(db, job, failed + 1);
      }
      return { id: job.id, status: 'failed', output };
    } finally {
      giveBack();
    }
  }

  /** Leaves a job to a larger worker, or gives it up when there is none. */
  async function passOn(job: JobWithMetadata<JobEnvelope>, { needs }: TooSmallError): Promise<JobResult> {
    const { memoryMb, diskMb } = needs;
    if (!(await hasRoomFor(db, needs)))
      return {
        id: job.id,
        status: 'deadletter',
        output: failure(
          'jobs/no-room',
          `This needs ${inGb(memoryMb)} of memory and ${inGb(diskMb)} of disk, which no worker offers.`,
        ),
      };
    logger.info({ job: job.data.job, job_id: job.id, ...needs }, 'job left to a larger worker');
    await handOn(db, job, HANDED_ON_SECONDS + Math.random() * POLLING_SECONDS);
    // The row waits again already, so that this settles nothing.
    return { id: job.id, status: 'failed' };
  }

  /** Handles a job that failed for good: by error, by timeout, or because its workers died. */
  async function settleFailure(job: JobWithMetadata<JobEnvelope>): Promise<JobResult> {
    try {
      const registration = byName.get(job.data.job);
      if (registration === undefined) throw new Error(`This worker does not know the job ${job.data.job}.`);
      if (job.data.reduce !== undefined) await cancelFlow(boss, db, job.data.reduce);
      const parsed = registration.definition.payload.safeParse(job.data.payload);
      if (parsed.success) await registration.onFailed?.(parsed.data, failureFromOutput(job));
      return { id: job.id, status: 'completed' };
    } catch (error) {
      logger.error({ err: error, job: job.data.job, job_id: job.id }, 'a failed job could not be settled');
      return { id: job.id, status: 'failed', output: failureOf(error) };
    }
  }

  return {
    async stop(timeoutMs) {
      shutdown.abort(new Error('The worker is shutting down.'));
      await Promise.race([Promise.allSettled([...running]), timeout(timeoutMs)]);
      await boss.stop({ graceful: true, timeout: Math.max(1_000, timeoutMs) });
      await leave();
    },
  };
}

/** Runs a job within the trace of the request, or the job, that has enqueued it. */
function inTrace(
  job: JobWithMetadata<JobEnvelope>,
  run: (job: JobWithMetadata<JobEnvelope>) => Promise<JobResult>,
): Promise<JobResult> {
  const attributes = {
    'heterosis.job_id': job.id,
    'heterosis.attempt': job.retryCount + 1,
    'heterosis.organization_id': job.data.organization,
  };
  return traced(job.data.job, { kind: 'consumer', parent: job.data.trace, attributes }, async (span) => {
    const result = await run(job);
    if (result.status !== 'completed') span?.fail((result.output as JobFailure | undefined)?.code ?? 'put-back');
    return result;
  });
}

/** A full disk is no fault of the job: it waits, however long that takes, and uses up none of its attempts. */
async function waitForSpace(
  db: Database,
  job: JobWithMetadata<JobEnvelope>,
  log: Logger,
  error: unknown,
): Promise<JobResult> {
  log.error({ err: error }, 'job waits for space on the disk');
  try {
    await handOn(db, job, SPACE_SECONDS);
  } catch (reason) {
    // The database has no space either. The next attempt comes when pg-boss can write again.
    log.error({ err: reason }, 'job could not be put back');
  }
  return { id: job.id, status: 'failed' };
}

/** Slots of a lane in one worker process. */
const placesFor = (lane: Lane, concurrency: number): number => (lane === 'mail' ? 1 : concurrency);

const inGb = (mb: number): string => `${(mb / 1000).toFixed(1)} GB`;

/** A run waits out an outage of database or storage. Mails and webhooks fail by outages of other people's servers. */
const isFaultless = (definition: JobDefinition<unknown>, error: JobFailure): boolean =>
  isRun(definition) && isOutage(error);

const isRun = ({ lane }: JobDefinition<unknown>): boolean => lane === 'long' || lane === 'short';

const failure = (code: string, message: string): JobFailure => ({ code, message });

function failureOf(error: unknown): JobFailure {
  if (!(error instanceof Error)) return failure('server/internal', String(error));
  const { code } = error as { code?: unknown };
  return failure(typeof code === 'string' ? code : 'server/internal', error.message);
}

/** Messages that pg-boss's monitor and worker store for a job that timed out. */
const TIMED_OUT = /^(job timed out|handler execution exceeded)/;

function hasTimedOut(output: unknown): boolean {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  return TIMED_OUT.test(String(message ?? value?.message));
}

const timedOut = (): JobFailure => failure('jobs/timed-out', 'The work took longer than it may.');

/** The stored failure: our own, or pg-boss's when no handler was left to report one. */
function failureFromOutput({ sourceOutput, sourceRetryCount }: JobWithMetadata<JobEnvelope>): JobFailure {
  const { code, message } = (sourceOutput ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && typeof message === 'string') return failure(code, message);
  if (hasTimedOut(sourceOutput)) return timedOut();
  const times = (sourceRetryCount ?? 0) + 1;
  return failure('jobs/worker-lost', `The workers that did this were stopped ${times} times, so it was given up.`);
}

function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
