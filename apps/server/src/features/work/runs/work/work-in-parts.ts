import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import {
  type JobContext,
  type JobDefinition,
  type JobFailure,
  type JobRegistration,
  type Needs,
  registerJob,
} from '../../../../platform/job-queue/job.ts';
import { withWorkDirectory } from '../../../../platform/processes/work-directory.ts';
import { deleteLeftovers } from '../sweep/sweep-runs.ts';
import {
  type Entity,
  type EntityRow,
  eventOf,
  failWork,
  type RunIds,
  referenceOf,
  type WorkReference,
} from './entity.ts';
import { type ErrorExtra, errorExtraOf, ofFailure } from './error-extra.ts';
import {
  attachJob,
  finishRun,
  hasAttachedJob,
  isCurrentRun,
  isLastAttached,
  putBackRun,
  takeUpRun,
} from './runs.queries.ts';
import { type ComputeStep, type HowToTakeUp, type PartSize, type Taken, takeUp, type WorkOnRow } from './take-up.ts';

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

/** The work that a feature supplies for a step in parts. */
export interface WorkInParts<Row, Inputs, Output, Part, Last> extends WorkOnRow<Row, Inputs> {
  /** Memory and disk of the jobs; none for what any worker has room for. */
  needs: {
    first?(row: Row): Promise<Needs | undefined>;
    part?(row: Row, payload: Part): Promise<Needs | undefined>;
    last?(row: Row, payload: Last): Promise<Needs | undefined>;
  };
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
  /** Puts the results of the parts together; with a division, further parts follow: a search that goes in rounds. */
  finish(
    row: Row,
    inputs: Inputs,
    payload: Last,
    step: PartStep,
  ): Promise<{ output: Output } | { division: Division<Part, Last> }>;
  /** Writes what is finished into the rows, in the transaction that begins the parts or ends the step. */
  store(trx: DatabaseTransaction, row: Row, output: Output, step: { runId: string; prefix: string }): Promise<void>;
}

/** The three jobs of a step in parts. */
export function registerWorkInPartsOn<
  First extends RunIds,
  Part extends AttemptIds,
  Last extends AttemptIds,
  Row extends EntityRow,
  Inputs,
  Output,
>(
  services: WorkerServices,
  entity: Entity<Row>,
  jobs: JobsInParts<First, Part, Last>,
  work: WorkInParts<Row, Inputs, Output, Part, Last>,
): JobRegistration[] {
  // From here on rows, inputs and payloads are only handed from one function of the feature to the next.
  const frame = { services, entity, jobs, work } as unknown as Frame;
  const onFailed = (payload: RunIds, failure: JobFailure) =>
    fail(frame, referenceOf(entity, payload), ofFailure(failure));
  return [
    registerJob(jobs.first, (job) => beginWork(frame, job), onFailed),
    registerJob(jobs.part, (job) => workOnPart(frame, job), onFailed),
    registerJob(jobs.last, (job) => finishWork(frame, job), onFailed),
  ];
}

interface Frame {
  services: WorkerServices;
  entity: Entity<EntityRow>;
  jobs: JobsInParts<RunIds, AttemptIds, AttemptIds>;
  work: WorkInParts<EntityRow, unknown, unknown, AttemptIds, AttemptIds>;
}

/** Computes what the parts share, stores what is finished with it, and starts the parts for the rest. */
async function beginWork(frame: Frame, job: JobContext<RunIds>): Promise<void> {
  const { services, jobs, work } = frame;
  const { db } = services;
  const { run_id: runId } = job.payload;
  // Delivered again because the worker died before it could report the end: the flow exists and must not start twice.
  if (await hasAttachedJob(db, runId, jobs.last.name)) return;
  const how = { needs: work.needs.first, attempt: () => takeUpRun(db, runId) };
  await actOn(frame, job, how, async ({ row, inputs, attempt, reference, step }) => {
    if (attempt > 1) await deleteLeftoversOf(frame, reference);
    const { output, division } = await work.begin(row, inputs, step);
    await storeIfCurrent(frame, { row, attempt, reference }, async (trx) => {
      if (output !== null) await work.store(trx, row, output, { runId, prefix: step.prefix });
      if (division === null) return await endRun(frame, trx, reference, attempt);
      await startParts(frame, trx, { ...job.payload, attempt }, division);
    });
  });
}

async function startParts(
  { services, jobs }: Frame,
  trx: DatabaseTransaction,
  ids: AttemptIds,
  { parts, last }: Division<AttemptIds, AttemptIds>,
): Promise<void> {
  const flow = await services.jobs.enqueueFlow(trx, {
    chunk: jobs.part,
    chunks: parts.map((own) => ({ ...ids, ...own })),
    reduce: jobs.last,
    payload: { ...ids, ...last },
  });
  await attachJob(trx, ids.run_id, ...flow.chunks, flow.reduce);
}

async function workOnPart(frame: Frame, job: JobContext<AttemptIds>): Promise<void> {
  const { payload } = job;
  const { work } = frame;
  const how = {
    needs: async (row: EntityRow) => await work.needs.part?.(row, payload),
    attempt: () => currentAttempt(frame, payload),
    size: work.sizeOf(payload),
  };
  await actOn(frame, job, how, ({ row, inputs, step }) => work.part(row, inputs, payload, step));
}

/** Combines the results of the parts, stores them, and ends the run; or starts the parts that follow from them. */
async function finishWork(frame: Frame, job: JobContext<AttemptIds>): Promise<void> {
  const { payload } = job;
  const { work } = frame;
  const how = {
    needs: async (row: EntityRow) => await work.needs.last?.(row, payload),
    attempt: () => currentAttempt(frame, payload),
  };
  await actOn(frame, job, how, async ({ row, inputs, attempt, reference, step }) => {
    const next = await work.finish(row, inputs, payload, step);
    await storeIfCurrent(frame, { row, attempt, reference }, async (trx) => {
      if ('division' in next) {
        // Delivered again after its further parts had begun: they must not begin twice.
        if (await isLastAttached(trx, reference.runId, job.id, frame.jobs.last.name))
          await startParts(frame, trx, payload, next.division);
        return;
      }
      await work.store(trx, row, next.output, { runId: reference.runId, prefix: step.prefix });
      await endRun(frame, trx, reference, attempt);
    });
  });
}

/** What a job of the flow works on. */
interface PartTaken extends Pick<Taken<EntityRow, unknown>, 'row' | 'inputs' | 'attempt' | 'reference'> {
  step: PartStep;
}

/** Does `act` unless the run has ended. An error that the input causes ends the run; any other error is thrown. */
async function actOn(
  frame: Frame,
  job: JobContext<RunIds>,
  how: HowToTakeUp<EntityRow>,
  act: (taken: PartTaken) => Promise<void>,
): Promise<void> {
  const { services, entity, work } = frame;
  const { db, config, logger } = services;
  const taken = await takeUp(services, { entity, work }, job, how);
  if (taken === undefined) return;
  const { attempt, reference } = taken;
  try {
    await withWorkDirectory(config, (directory) => act({ ...taken, step: stepOf(services, taken, directory) }));
    // Finished, or cancelled or taken over while this job was still writing: delete what no row refers to.
    if (!(await isCurrentRun(db, reference.runId, attempt))) await deleteLeftoversOf(frame, reference);
  } catch (error) {
    const extra = job.signal.aborted ? undefined : errorExtraOf(error);
    if (extra !== undefined) return await fail(frame, reference, extra);
    await putBack(frame, reference, attempt).catch((reason: unknown) =>
      logger.warn({ err: reason }, 'a run could not be put back'),
    );
    throw error;
  }
}

function stepOf(
  { db, storage }: WorkerServices,
  { attempt, reference, prefix, needs, step }: Taken<EntityRow, unknown>,
  directory: string,
): PartStep {
  return {
    ...step(directory),
    needs,
    async keep(name, path) {
      if (await isCurrentRun(db, reference.runId, attempt)) await storage.putFile(`${prefix}${name}`, path);
    },
  };
}

/** Writes rows in one transaction, unless the run has ended or another attempt has taken over. */
async function storeIfCurrent(
  { services, entity }: Frame,
  { row, attempt, reference }: Pick<PartTaken, 'row' | 'attempt' | 'reference'>,
  write: (trx: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const { tenantId, id, runId } = reference;
    // The entry before the run, as a cancellation locks them.
    if (!(await entity.lock(trx, tenantId, id))) return;
    if (!(await isCurrentRun(trx, runId, attempt))) return;
    await write(trx);
    await publishEvent(trx, eventOf(entity, row));
  });
}

/** Ends the run: every trait has its results or its error. */
async function endRun(
  { entity }: Frame,
  trx: DatabaseTransaction,
  reference: WorkReference,
  attempt: number,
): Promise<void> {
  if (await finishRun(trx, reference.runId, attempt)) await entity.tellEnd?.(trx, reference);
}

/** Ends the run and every trait without a result. */
async function fail(frame: Frame, reference: WorkReference, error: ErrorExtra): Promise<void> {
  const { services, entity } = frame;
  if (await failWork(services, entity, reference, error)) await deleteLeftoversOf(frame, reference);
}

/** Deletes what the run has written but no row refers to. */
const deleteLeftoversOf = ({ services, entity: { kind } }: Frame, reference: WorkReference): Promise<void> =>
  deleteLeftovers(services, kind, reference);

/** The attempt of a job in a flow; undefined if another attempt has taken over. */
const currentAttempt = async (
  { services: { db } }: Frame,
  { run_id, attempt }: AttemptIds,
): Promise<number | undefined> => ((await isCurrentRun(db, run_id, attempt)) ? attempt : undefined);

/** Marks the run as waiting, unless its flow has begun: one part is retried while the others continue. */
async function putBack({ services: { db }, jobs }: Frame, { runId }: WorkReference, attempt: number): Promise<void> {
  if (!(await hasAttachedJob(db, runId, jobs.last.name))) await putBackRun(db, runId, attempt);
}
