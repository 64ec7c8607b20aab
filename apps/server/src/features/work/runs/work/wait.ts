import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import { type JobDefinition, type JobRegistration, registerJob } from '../../../../platform/job-queue/job.ts';
import { enqueueRun } from './begin-run.ts';
import { type Entity, type EntityRow, eventOf, failWork, type RunIds, referenceOf } from './entity.ts';
import { ofFailure, RunError } from './error-extra.ts';
import { progressOf } from './progress.ts';
import { detachJobs, type Run, showAwaited, tenantColumn } from './runs.queries.ts';

const LOOK_AGAIN_SECONDS = 2;

/** What a look found: what is awaited is under way, or is there. */
export type Seen =
  | { awaited: Run | undefined }
  | {
      /**
       * Writes what came into the rows, in the transaction that enqueues the work; returns the hashes of inputs that
       * are known by now, or undefined if the run has gone on already.
       */
      arrive(trx: DatabaseTransaction): Promise<Record<string, string | null> | undefined>;
    };

/** A job that waits until another run has ended, and then enqueues the work of its own. */
export interface WaitingJob<Row, Payload extends RunIds> {
  job: JobDefinition<Payload>;
  /** Begins when what was awaited is there. */
  // oxlint-disable-next-line typescript/no-explicit-any -- jobs of different kinds carry different ids
  next: JobDefinition<any>;
  /** The stage that is shown meanwhile. */
  stage: string;
  /** Undefined when the run waits no more. @throws RunError when what is awaited will never come */
  look(row: Row): Promise<Seen | undefined>;
}

/** No job keeps its place while it waits: each look ends at once, and puts the next into the queue. */
export const registerWaitOn = <Row extends EntityRow, Payload extends RunIds>(
  services: WorkerServices,
  entity: Entity<Row>,
  waiting: WaitingJob<Row, Payload>,
): JobRegistration =>
  registerJob(
    waiting.job,
    ({ payload }) => lookOnce(services, entity, waiting, payload),
    async (payload, failure) =>
      void (await failWork(services, entity, referenceOf(entity, payload), ofFailure(failure))),
  );

async function lookOnce<Row extends EntityRow, Payload extends RunIds>(
  services: WorkerServices,
  entity: Entity<Row>,
  { job, next, stage, look }: WaitingJob<Row, Payload>,
  payload: Payload,
): Promise<void> {
  const { db, jobs } = services;
  const reference = referenceOf(entity, payload);
  const { tenantId, id, runId } = reference;
  const row = await entity.find(db, tenantId, id);
  const seen = row && (await look(row).catch((error: unknown) => asRunError(error)));
  if (row === undefined || seen === undefined) return;
  if (seen instanceof RunError) return void (await failWork(services, entity, reference, seen.extra));
  await db.transaction().execute(async (trx) => {
    if ('awaited' in seen) {
      const { done = 0, total = 0 } = progressOf(seen.awaited) ?? {};
      const again = await jobs.enqueue(trx, job, payload, {
        isContinuation: true,
        organizationId: row.organization_id,
        delaySeconds: LOOK_AGAIN_SECONDS,
      });
      const shown = { stage, progress_done: done, progress_total: total };
      if (!(await showAwaited(trx, runId, shown, again))) await jobs.cancel(trx, again);
    } else {
      const hashes = await seen.arrive(trx);
      if (hashes !== undefined) {
        await detachJobs(trx, runId, hashes);
        const run = { [tenantColumn(entity.kind)]: tenantId, entity_kind: entity.kind, entity_id: id, run_id: runId };
        await enqueueRun(services, trx, next, { ...run, isContinuation: true });
      }
    }
    await publishEvent(trx, eventOf(entity, row));
  });
}

function asRunError(error: unknown): RunError {
  if (error instanceof RunError) return error;
  throw error;
}
