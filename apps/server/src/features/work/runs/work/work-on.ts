import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import {
  type JobContext,
  type JobDefinition,
  type JobRegistration,
  type Needs,
  registerJob,
} from '../../../../platform/job-queue/job.ts';
import { withAttempt } from './attempt.ts';
import { type Entity, type EntityRow, eventOf, failWork, type RunIds, referenceOf } from './entity.ts';
import { ofFailure } from './error-extra.ts';
import { finishRun, putBackRun, takeUpRun } from './runs.queries.ts';
import { type ComputeStep, takeUp, type WorkOnRow } from './take-up.ts';

/** The part of a step that its feature supplies. */
export interface StepWork<Row, Inputs, Output> extends WorkOnRow<Row, Inputs> {
  /** Memory and disk of the step; none for what any worker has room for. */
  needs?(row: Row): Promise<Needs | undefined>;
  /** Runs before the computation: marks what is in work. */
  begin?(trx: DatabaseTransaction, row: Row): Promise<void>;
  /** Computes, and stores the files of the result. No row refers to them yet. */
  compute(row: Row, inputs: Inputs, step: ComputeStep): Promise<Output>;
  /** What the parameters of the run say of its result. */
  outcome?(output: Output): Record<string, unknown>;
  /** Writes the result into the rows, in the transaction that ends the step. */
  store(trx: DatabaseTransaction, row: Row, output: Output, step: ComputeStep): Promise<void>;
  /** Tidies up once the result is stored for good. */
  stored?(row: Row, step: { prefix: string }): Promise<void>;
}

/** The job of a step whose work is done by one compute process. */
export const registerWorkOn = <Payload extends RunIds, Row extends EntityRow, Inputs, Output>(
  services: WorkerServices,
  entity: Entity<Row>,
  job: JobDefinition<Payload>,
  work: StepWork<Row, Inputs, Output>,
): JobRegistration =>
  registerJob(
    job,
    (context) => workOn(services, entity, context, work),
    async (payload, failure) =>
      void (await failWork(services, entity, referenceOf(entity, payload), ofFailure(failure))),
  );

/**
 * Takes up a run, loads its inputs, computes, stores the files, and ends the run with its rows, mail and event in one
 * transaction. The job may be delivered twice, and may be taken over halfway: each attempt has its own prefix for
 * results, and only the newest attempt may commit.
 */
async function workOn<Row extends EntityRow, Inputs, Output>(
  services: WorkerServices,
  entity: Entity<Row>,
  context: JobContext<RunIds>,
  work: StepWork<Row, Inputs, Output>,
): Promise<void> {
  const { db } = services;
  const needs = async (row: Row) => await work.needs?.(row);
  const taken = await takeUp(services, { entity, work }, context, { needs, attempt: (runId) => takeUpRun(db, runId) });
  if (taken === undefined) return;
  const { row, inputs, attempt, reference, prefix, fail } = taken;
  const { tenantId, id, runId } = reference;
  const event = eventOf(entity, row);
  if (work.begin !== undefined)
    await db.transaction().execute(async (trx) => {
      await work.begin?.(trx, row);
      await publishEvent(trx, event);
    });
  const putBack = () => putBackRun(db, runId, attempt);
  const { signal } = context;
  const isStored = await withAttempt(services, { prefix, signal, fail, putBack }, async (directory) => {
    const step = taken.step(directory);
    const output = await work.compute(row, inputs, step);
    return await db.transaction().execute(async (trx) => {
      if (!(await entity.lock(trx, tenantId, id))) return false;
      if (!(await finishRun(trx, runId, attempt, work.outcome?.(output)))) return false;
      await work.store(trx, row, output, step);
      await entity.tellEnd?.(trx, reference);
      await publishEvent(trx, event);
      return true;
    });
  });
  if (isStored) await work.stored?.(row, { prefix });
}
