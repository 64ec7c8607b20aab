import type { JobWithMetadata } from 'pg-boss';
import type { Logger } from '../logging/logger.ts';
import { type JobContext, type JobFailure, type JobRegistration, UnrecoverableJobError } from './job.ts';
import { hopelessQueue, type PgBossQueue } from './pg-boss-queue.ts';

/** With this a cancelled or lost job is noticed within a second. */
const HEARTBEAT_REFRESH_SECONDS = 1;
const POLLING_SECONDS = 0.5;

const GIVEN_UP: JobFailure = {
  code: 'runs/given-up',
  message: 'The work was broken off again and again, most likely because its worker was stopped or ran out of memory.',
};

export interface WorkerOptions {
  queue: PgBossQueue;
  registrations: readonly JobRegistration[];
  /** Jobs of one kind at the same time in this process. */
  concurrency: number;
  logger: Logger;
}

/** Takes jobs until the queue is closed. */
export async function startWorker({ queue, registrations, concurrency, logger }: WorkerOptions): Promise<void> {
  for (const registration of registrations) {
    const { definition, onFailed } = registration;
    await queue.ensureQueue(definition);
    await queue.boss.work(
      definition.name,
      {
        includeMetadata: true,
        batchSize: 1,
        localConcurrency: concurrency,
        pollingIntervalSeconds: POLLING_SECONDS,
        notifyPollingIntervalSeconds: POLLING_SECONDS,
        heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
      },
      async ([job]) => {
        if (job) await runJob(queue, registration, job as JobWithMetadata<object>, logger);
      },
    );
    await queue.boss.work(
      hopelessQueue(definition.name),
      { batchSize: 1, pollingIntervalSeconds: 2 },
      async ([job]) => {
        if (job && onFailed) await onFailed(definition.payload.parse(job.data), GIVEN_UP);
      },
    );
  }
}

/** Runs one attempt. A failure that is final is told once, and what waits for the job in its flow is taken out. */
async function runJob(
  queue: PgBossQueue,
  registration: JobRegistration,
  job: JobWithMetadata<object>,
  logger: Logger,
): Promise<void> {
  const { definition, handler, onFailed } = registration;
  const log = logger.child({ job: definition.name, job_id: job.id });
  const payload: unknown = definition.payload.parse(job.data);
  const isLastAttempt = job.retryCount >= job.retryLimit;
  const context: JobContext<unknown> = {
    id: job.id,
    payload,
    attempt: job.retryCount + 1,
    isLastAttempt,
    signal: job.signal,
  };
  const started = performance.now();
  try {
    await handler(context);
    log.info({ ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    // Cancelled, taken over or shutting down: somebody else decides what becomes of the run.
    if (job.signal.aborted) {
      log.info('job stopped');
      throw error;
    }
    const isFinal = isLastAttempt || error instanceof UnrecoverableJobError;
    log[isFinal ? 'error' : 'warn']({ err: error, attempt: context.attempt }, 'job failed');
    if (!isFinal) throw error;
    await onFailed?.(payload, failureOf(error));
    await cancelFlow(queue, definition.name, job.id);
    // Told and done: the job ends here, so that it is neither tried again nor counted as hopeless.
    await queue.boss.cancel(definition.name, job.id);
  }
}

/** pg-boss leaves the reduce job of a flow waiting for ever when a chunk fails for good. */
async function cancelFlow(queue: PgBossQueue, name: string, id: string): Promise<void> {
  for (const dependent of await queue.boss.getDependents(name, id)) {
    const siblings = await queue.boss.getDependencies(dependent.name, dependent.id);
    await queue.boss.cancel(dependent.name, dependent.id);
    for (const sibling of siblings) if (sibling.id !== id) await queue.boss.cancel(sibling.name, sibling.id);
  }
}

function failureOf(error: unknown): JobFailure {
  const code = (error as { code?: unknown } | null)?.code;
  return {
    code: typeof code === 'string' ? code : 'server/internal',
    message: error instanceof Error ? error.message : String(error),
  };
}
