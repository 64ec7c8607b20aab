import { RUN_KINDS } from '@heterosis/contracts/run-kinds';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import {
  type JobContext,
  type JobDefinition,
  type JobFailure,
  type JobRegistration,
  type Needs,
  registerJob,
} from '../../../../platform/job-queue/job.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import { type ErrorExtra, errorExtraOf, inputGone, ofFailure } from '../ending/error-extra.ts';
import { deleteLeftovers } from '../sweeping/sweep-runs.ts';
import { putResults } from '../working/attempt.ts';
import { createProgressWriter } from '../working/progress.ts';
import { attachJob, finishRun, hasAttachedJob, isCurrentRun, requeueRun, takeUpRun } from '../working/runs.queries.ts';
import { withWorkDirectory } from '../working/work-directory.ts';
import { findNamedRun } from './run-kind.queries.ts';
import { failNamedRun, goneInput, runEvent, tellEndOfNamedRun, type WorkReference } from './run-kind.service.ts';
import type { NamedRunRow, RunKindDefinition } from './run-kind.ts';
import { attemptPrefix, type ComputeStep, type RunWorkerServices, referenceOf } from './work-on-run.ts';

/** The ids that every job of a run carries, besides that of the entity as `{kind}_id`. */
interface RunIds {
  project_id: string;
  run_id: string;
}
/** Jobs of the flow of one attempt. If another attempt has taken over, they do nothing. */
interface AttemptIds extends RunIds {
  attempt: number;
}

/** The jobs of a step in parts. */
export interface JobsInParts<First, Part, Last> {
  /** Does what the parts share; all of it where that is little. */
  first: JobDefinition<First>;
  /** Any worker takes any part. */
  part: JobDefinition<Part>;
  /** Puts the results of the parts together. */
  last: JobDefinition<Last>;
}

/** What a job of a step in parts works with. */
export interface PartStep extends ComputeStep {
  /** Of the keys of everything that the attempt writes. */
  prefix: string;
  needs: Needs | undefined;
  /** Stores a file below the prefix for later jobs, unless the run has ended or another attempt has taken over. */
  keep(name: string, path: string): Promise<void>;
}

/** What the payloads of the parts and of the last job say besides the ids. */
export interface Division<Part, Last> {
  parts: OwnFields<Part>[];
  last: OwnFields<Last>;
}
type OwnFields<Payload> = Omit<Payload, keyof AttemptIds | `${string}_id`>;

/** How far a part is: its name, its size, and that of all parts together. */
export interface PartSize {
  name: string;
  size: number;
  total: number;
}

/** The work that a feature supplies for a step in parts. */
export interface WorkInParts<Row, Inputs, Output, Part, Last> {
  /** The traits to which the progress applies. */
  traits(row: Row): readonly string[];
  /** Memory and disk of the jobs; none for what any worker has room for. */
  needs: {
    first?(row: Row): Promise<Needs | undefined>;
    part?(row: Row, payload: Part): Promise<Needs | undefined>;
    last?(row: Row): Promise<Needs | undefined>;
  };
  /** Loads the inputs. Undefined if one was deleted in the meantime. */
  inputs(row: Row): Promise<Inputs | undefined>;
  /**
   * Computes what the parts share and keeps it. `output` is what is finished already, null where nothing is. Without a
   * division the run ends with it.
   */
  begin(
    row: Row,
    inputs: Inputs,
    step: PartStep,
  ): Promise<{ output: Output | null; division: Division<Part, Last> | null }>;
  sizeOf(payload: Part): PartSize;
  /** Computes a part and keeps its result. */
  part(row: Row, inputs: Inputs, payload: Part, step: PartStep): Promise<void>;
  /** Puts the results of the parts together. */
  finish(row: Row, inputs: Inputs, payload: Last, step: PartStep): Promise<Output>;
  /** Writes what is finished into the rows, in the transaction that begins the parts or ends the step. */
  store(trx: DatabaseTransaction, row: Row, output: Output, step: { runId: string; prefix: string }): Promise<void>;
}

/** The three jobs of a step in parts. */
export function registerWorkInParts<
  First extends RunIds,
  Part extends AttemptIds,
  Last extends AttemptIds,
  Row extends NamedRunRow,
  Inputs,
  Output,
>(
  services: RunWorkerServices,
  definition: RunKindDefinition<Row>,
  jobs: JobsInParts<First, Part, Last>,
  work: WorkInParts<Row, Inputs, Output, Part, Last>,
): JobRegistration[] {
  // From here on rows, inputs and payloads are only handed from one function of the feature to the next.
  const frame = { services, definition, jobs, work } as unknown as Frame;
  const onFailed = (payload: RunIds, failure: JobFailure) =>
    fail(frame, referenceOf(definition, payload), ofFailure(failure));
  return [
    registerJob(jobs.first, (job) => beginWork(frame, job), onFailed),
    registerJob(jobs.part, (job) => workOnPart(frame, job), onFailed),
    registerJob(jobs.last, (job) => finishWork(frame, job), onFailed),
  ];
}

interface Frame {
  services: RunWorkerServices;
  definition: RunKindDefinition;
  jobs: JobsInParts<RunIds, AttemptIds, AttemptIds>;
  work: WorkInParts<NamedRunRow, unknown, unknown, AttemptIds, AttemptIds>;
}

/** Computes what the parts share, stores what is finished with it, and starts the parts for the rest. */
async function beginWork(frame: Frame, job: JobContext<RunIds>): Promise<void> {
  const { services, jobs, work } = frame;
  const { db } = services;
  const { run_id: runId } = job.payload;
  // Delivered again because the worker died before it could report the end: the flow exists and must not start twice.
  if (await hasAttachedJob(db, runId, jobs.last.name)) return;
  const how = { needs: work.needs.first, attempt: () => takeUpRun(db, runId) };
  await takeUp(frame, job, how, async ({ row, inputs, attempt, reference, step }) => {
    if (attempt > 1) await deleteLeftoversOf(frame, reference);
    const { output, division } = await work.begin(row, inputs, step);
    await storeIfCurrent(frame, { row, attempt, reference }, async (trx) => {
      if (output !== null) await work.store(trx, row, output, { runId, prefix: step.prefix });
      if (division === null) return await endRun(frame, trx, reference, attempt);
      const ids = { ...job.payload, attempt };
      const flow = await services.jobs.enqueueFlow(trx, {
        chunk: jobs.part,
        chunks: division.parts.map((own) => ({ ...ids, ...own })),
        reduce: jobs.last,
        payload: { ...ids, ...division.last },
      });
      await attachJob(trx, runId, ...flow.chunks, flow.reduce);
    });
  });
}

async function workOnPart(frame: Frame, job: JobContext<AttemptIds>): Promise<void> {
  const { payload } = job;
  const { work } = frame;
  const how = {
    needs: async (row: NamedRunRow) => await work.needs.part?.(row, payload),
    attempt: () => currentAttempt(frame, payload),
    size: work.sizeOf(payload),
  };
  await takeUp(frame, job, how, ({ row, inputs, step }) => work.part(row, inputs, payload, step));
}

/** Combines the results of the parts, stores them, and ends the run. */
async function finishWork(frame: Frame, job: JobContext<AttemptIds>): Promise<void> {
  const { payload } = job;
  const { work } = frame;
  const how = { needs: work.needs.last, attempt: () => currentAttempt(frame, payload) };
  await takeUp(frame, job, how, async ({ row, inputs, attempt, reference, step }) => {
    const output = await work.finish(row, inputs, payload, step);
    await storeIfCurrent(frame, { row, attempt, reference }, async (trx) => {
      await work.store(trx, row, output, { runId: reference.runId, prefix: step.prefix });
      await endRun(frame, trx, reference, attempt);
    });
  });
}

/** How a job takes up its run. */
interface HowToTakeUp {
  needs: ((row: NamedRunRow) => Promise<Needs | undefined>) | undefined;
  /** Undefined when there is nothing to do. */
  attempt(): Promise<number | undefined>;
  /** For one of several jobs. */
  size?: PartSize;
}

/** What a job works on. */
interface Taken {
  row: NamedRunRow;
  inputs: unknown;
  attempt: number;
  reference: WorkReference;
  step: PartStep;
}

/** Does `act` unless the run has ended. An error that the input causes ends the run; any other error is thrown. */
async function takeUp(
  frame: Frame,
  { payload, signal, reserve }: JobContext<RunIds>,
  how: HowToTakeUp,
  act: (taken: Taken) => Promise<void>,
): Promise<void> {
  const { services, definition, work } = frame;
  const { db, config, logger } = services;
  const reference = referenceOf(definition, payload);
  const row = await findNamedRun(definition, db, reference.projectId, reference.id);
  if (row === undefined) return;
  const needs = await how.needs?.(row);
  if (needs !== undefined) await reserve(needs);
  const attempt = await how.attempt();
  // Ended, cancelled, or taken over in the meantime.
  if (attempt === undefined) return;
  const gone = goneInput(definition, row);
  const inputs = gone === undefined ? await work.inputs(row) : undefined;
  if (inputs === undefined) return await fail(frame, reference, inputGone(gone));
  try {
    await withWorkDirectory(config, async (directory) => {
      const step = stepOf(frame, { row, attempt, reference, directory, signal, needs, size: how.size });
      await act({ row, inputs, attempt, reference, step });
    });
    // Finished, or cancelled or taken over while this job was still writing: delete what no row refers to.
    if (!(await isCurrentRun(db, reference.runId, attempt))) await deleteLeftoversOf(frame, reference);
  } catch (error) {
    const extra = signal.aborted ? undefined : errorExtraOf(error);
    if (extra !== undefined) return await fail(frame, reference, extra);
    await requeue(frame, reference, attempt).catch((reason: unknown) =>
      logger.warn({ err: reason }, 'a run could not be put back'),
    );
    throw error;
  }
}

function stepOf(
  { services, definition, work }: Frame,
  {
    row,
    attempt,
    reference,
    directory,
    signal,
    needs,
    size,
  }: Pick<Taken, 'row' | 'attempt' | 'reference'> & {
    directory: string;
    signal: AbortSignal;
    needs: Needs | undefined;
    size: PartSize | undefined;
  },
): PartStep {
  const { db, storage, compute, logger } = services;
  const { runId } = reference;
  const prefix = attemptPrefix(definition, reference, attempt);
  const report = createProgressWriter(db, {
    runId,
    attempt,
    event: runEvent(definition, row),
    traits: work.traits(row),
    logger,
    ...(size === undefined ? {} : { part: size }),
  });
  return {
    runId,
    directory,
    prefix,
    needs,
    run: (module, input) =>
      compute.run(module, input, {
        signal,
        needs,
        onProgress: ({ stage, done, total }) =>
          report({ stage, done: size === undefined ? done : (done / Math.max(1, total)) * size.size, total }),
      }),
    put: (files, part = '') => putResults(storage, `${prefix}${part}`, files),
    async keep(name, path) {
      if (await isCurrentRun(db, runId, attempt)) await storage.putFile(`${prefix}${name}`, path);
    },
  };
}

/** Writes rows in one transaction, unless the run has ended or another attempt has taken over. */
async function storeIfCurrent(
  { services, definition }: Frame,
  { row, attempt, reference }: Pick<Taken, 'row' | 'attempt' | 'reference'>,
  write: (trx: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const { projectId, id, runId } = reference;
    // The entry before the run, as a cancellation locks them.
    if (!(await lockEntry(trx, RUN_KINDS[definition.kind].path, projectId, id))) return;
    if (!(await isCurrentRun(trx, runId, attempt))) return;
    await write(trx);
    await publishEvent(trx, runEvent(definition, row));
  });
}

/** Ends the run: every trait has its results or its error. */
async function endRun(
  { services, definition }: Frame,
  trx: DatabaseTransaction,
  reference: WorkReference,
  attempt: number,
): Promise<void> {
  if (await finishRun(trx, reference.runId, attempt)) await tellEndOfNamedRun(services, trx, definition, reference);
}

/** Ends the run and every trait without a result. */
async function fail(frame: Frame, reference: WorkReference, error: ErrorExtra): Promise<void> {
  const { services, definition } = frame;
  if (await failNamedRun(services, definition, reference, error)) await deleteLeftoversOf(frame, reference);
}

/** Deletes what the run has written but no row refers to. */
const deleteLeftoversOf = (
  { services, definition: { kind } }: Frame,
  { projectId, id, runId }: WorkReference,
): Promise<void> => deleteLeftovers(services, { id: runId, project_id: projectId, entity_kind: kind, entity_id: id });

/** The attempt of a job in a flow; undefined if another attempt has taken over. */
const currentAttempt = async (
  { services: { db } }: Frame,
  { run_id, attempt }: AttemptIds,
): Promise<number | undefined> => ((await isCurrentRun(db, run_id, attempt)) ? attempt : undefined);

/** Marks the run as waiting, unless its flow has begun: one part is retried while the others continue. */
async function requeue({ services: { db }, jobs }: Frame, { runId }: WorkReference, attempt: number): Promise<void> {
  if (!(await hasAttachedJob(db, runId, jobs.last.name))) await requeueRun(db, runId, attempt);
}
