import { RUN_KINDS } from '@heterosis/contracts/run-kinds';
import type { ComputePool, ComputeProgress } from '../../../../platform/compute/compute.ts';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { Services } from '../../../../platform/http/app.ts';
import {
  type JobContext,
  type JobDefinition,
  type JobRegistration,
  type Needs,
  registerJob,
} from '../../../../platform/job-queue/job.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import { type ErrorExtra, inputGone, ofFailure } from '../ending/error-extra.ts';
import { putResults, withAttempt } from '../working/attempt.ts';
import { createProgressWriter } from '../working/progress.ts';
import { finishRun, requeueRun, takeUpRun } from '../working/runs.queries.ts';
import { findNamedRun } from './run-kind.queries.ts';
import { failNamedRun, goneInput, runEvent, tellEndOfNamedRun, type WorkReference } from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';

export type RunWorkerServices = Services & { compute: ComputePool };

/** What `compute` of a step works with. */
export interface ComputeStep {
  runId: string;
  /** Empty at the start; deleted when the step has ended. */
  directory: string;
  /** Runs the module in a child process, and writes its progress to the run. */
  run<Input, Output>(module: URL, input: Input): Promise<Output>;
  /** Stores files, by kind of result, and returns their keys. `part` precedes the kind in the key. */
  put<Kind extends string>(files: Partial<Record<Kind, string>>, part?: string): Promise<Partial<Record<Kind, string>>>;
}

/** The part of a step that its feature supplies. */
export interface RunWork<Row, Inputs, Output> {
  /** The traits to which the progress applies; none for a kind with one state for all its traits. */
  traits?(row: Row): readonly string[];
  /** Memory and disk of the step; none for what any worker has room for. */
  needs?(row: Row): Promise<Needs | undefined>;
  /** Loads the inputs. Undefined if one was deleted in the meantime. */
  inputs(row: Row): Promise<Inputs | undefined>;
  /** Runs before the computation: marks what is in work. */
  begin?(trx: DatabaseTransaction, row: Row): Promise<void>;
  /** Computes, and stores the files of the result. No row refers to them yet. */
  compute(row: Row, inputs: Inputs, step: ComputeStep): Promise<Output>;
  /** Writes the result into the rows, in the transaction that ends the step. */
  store(trx: DatabaseTransaction, row: Row, output: Output, step: { runId: string }): Promise<void>;
}

/** The job of a step whose work is done by one compute process. */
export const registerWork = <
  Payload extends { project_id: string; run_id: string },
  Row extends NamedRunRow,
  Inputs,
  Output,
>(
  services: RunWorkerServices,
  definition: RunKindDefinition<Row>,
  job: JobDefinition<Payload>,
  work: RunWork<Row, Inputs, Output>,
): JobRegistration =>
  registerJob(
    job,
    (context) => workOnRun(services, definition, context, work),
    async (payload, failure) => {
      await failNamedRun(services, definition, referenceOf(definition, payload), ofFailure(failure));
    },
  );

/** The payload of a kind's job names the row as `{kind}_id`. */
export function referenceOf(
  { kind }: Pick<RunKindDefinition, 'kind'>,
  payload: { project_id: string; run_id: string },
): WorkReference {
  const id = (payload as Record<string, unknown>)[`${kind}_id`];
  if (typeof id !== 'string') throw new TypeError(`The payload of this job has no ${kind}_id.`);
  return { projectId: payload.project_id, id, runId: payload.run_id };
}

/**
 * Takes up a run, loads its inputs, computes, stores the files, and ends the run with its rows, mail and event in one
 * transaction. The job may be delivered twice, and may be taken over halfway: each attempt has its own prefix for
 * results, and only the newest attempt may commit.
 */
async function workOnRun<
  Payload extends { project_id: string; run_id: string },
  Row extends NamedRunRow,
  Inputs,
  Output,
>(
  services: RunWorkerServices,
  definition: RunKindDefinition<Row>,
  { payload, signal, reserve }: JobContext<Payload>,
  work: RunWork<Row, Inputs, Output>,
): Promise<void> {
  const { db, logger, storage, compute } = services;
  const reference = referenceOf(definition, payload);
  const { projectId, id, runId } = reference;
  const { path } = RUN_KINDS[definition.kind];
  const row = await findNamedRun(definition, db, projectId, id);
  if (row === undefined) return;
  const needs = await work.needs?.(row);
  if (needs !== undefined) await reserve(needs);
  const attempt = await takeUpRun(db, runId);
  if (attempt === undefined) return;

  const fail = (error: ErrorExtra) => failNamedRun(services, definition, reference, error);
  const gone = goneInput(definition, row);
  const inputs = gone === undefined ? await work.inputs(row) : undefined;
  if (inputs === undefined) return void (await fail(inputGone(gone)));

  const event = runEvent(definition, row);
  if (work.begin !== undefined)
    await db.transaction().execute(async (trx) => {
      await work.begin?.(trx, row);
      await publishEvent(trx, event);
    });

  const prefix = attemptPrefix(definition, reference, attempt);
  const requeue = () => requeueRun(db, runId, attempt);
  await withAttempt(services, { prefix, signal, fail, requeue }, async (directory) => {
    const traits = work.traits?.(row) ?? [''];
    const onProgress: (progress: ComputeProgress) => void = createProgressWriter(db, {
      runId,
      attempt,
      event,
      traits,
      logger,
    });
    const output = await work.compute(row, inputs, {
      runId,
      directory,
      run: (module, input) => compute.run(module, input, { signal, onProgress, needs }),
      put: (files, part = '') => putResults(storage, `${prefix}${part}`, files),
    });
    return await db.transaction().execute(async (trx) => {
      if (!(await lockEntry(trx, path, projectId, id)) || !(await finishRun(trx, runId, attempt))) return false;
      await work.store(trx, row, output, { runId });
      await tellEndOfNamedRun(services, trx, definition, reference);
      await publishEvent(trx, event);
      return true;
    });
  });
}

/** Prefix of the storage keys of everything that an attempt writes. */
export const attemptPrefix = (
  { kind }: Pick<RunKindDefinition, 'kind'>,
  { projectId, id, runId }: WorkReference,
  attempt: number,
): string => `projects/${projectId}/${RUN_KINDS[kind].path}/${id}/${runId}-${attempt}/`;
