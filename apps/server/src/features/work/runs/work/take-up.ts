import type { ComputeProgress } from '../../../../platform/compute/compute.ts';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import type { JobContext, Needs } from '../../../../platform/job-queue/job.ts';
import { putResults } from './attempt.ts';
import {
  type Entity,
  type EntityRow,
  eventOf,
  failWork,
  type RunIds,
  referenceOf,
  runPrefix,
  type WorkReference,
} from './entity.ts';
import { type ErrorExtra, inputGone } from './error-extra.ts';
import { createProgressWriter } from './progress.ts';

/** What `compute` of a step works with. */
export interface ComputeStep {
  runId: string;
  /** Aborted when the run is cancelled or its worker stops. */
  signal: AbortSignal;
  /** Empty at the start; deleted when the step has ended. */
  directory: string;
  /** Of the keys of everything that the attempt writes. */
  prefix: string;
  /** Writes how far the step is to the run, where no child process does. */
  report(progress: ComputeProgress): void;
  /** Runs the module in a child process, and writes its progress to the run. */
  run<Input, Output>(module: URL, input: Input): Promise<Output>;
  /** Stores files, by kind of result, and returns their keys. `part` precedes the kind in the key. */
  put<Kind extends string>(files: Partial<Record<Kind, string>>, part?: string): Promise<Partial<Record<Kind, string>>>;
}

/** What every kind of work says of a row. */
export interface WorkOnRow<Row, Inputs> {
  /** The traits to which the progress applies; none for an entity with one state for all its traits. */
  traits?(row: Row): readonly string[];
  /** Loads the inputs. Undefined if one was deleted in the meantime. */
  inputs(row: Row, work: WorkReference): Promise<Inputs | undefined>;
}

/** How far a part is: its name, its size, and that of all parts together. */
export interface PartSize {
  name: string;
  size: number;
  total: number;
}

/** How a job takes up its run. */
export interface HowToTakeUp<Row> {
  /** Memory and disk of the job; none for what any worker has room for. */
  needs: ((row: Row) => Promise<Needs | undefined>) | undefined;
  /** The number of the attempt; undefined when there is nothing to do. */
  attempt(runId: string): Promise<number | undefined>;
  /** For one of several jobs. */
  size?: PartSize;
}

/** What a job has taken up. */
export interface Taken<Row, Inputs> {
  row: Row;
  inputs: Inputs;
  attempt: number;
  reference: WorkReference;
  /** Of the keys of everything that the attempt writes. */
  prefix: string;
  needs: Needs | undefined;
  /** Ends the run with an error. */
  fail(error: ErrorExtra): Promise<boolean>;
  step(directory: string): ComputeStep;
}

/**
 * The start of every job of a run: finds the row, waits for room, begins or joins an attempt and loads the inputs.
 * Undefined when nothing is to be done; a run without its inputs has then been failed.
 */
export async function takeUp<Row extends EntityRow, Inputs>(
  services: WorkerServices,
  { entity, work }: { entity: Entity<Row>; work: WorkOnRow<Row, Inputs> },
  { payload, signal, reserve }: JobContext<RunIds>,
  { needs: needsOf, attempt: takeAttempt, size }: HowToTakeUp<Row>,
): Promise<Taken<Row, Inputs> | undefined> {
  const { db, storage, compute, logger } = services;
  const reference = referenceOf(entity, payload);
  const { runId } = reference;
  const row = await entity.find(db, reference.tenantId, reference.id);
  if (row === undefined) return undefined;
  const needs = await needsOf?.(row);
  if (needs !== undefined) await reserve(needs);
  const attempt = await takeAttempt(runId);
  // Ended, cancelled, or taken over in the meantime.
  if (attempt === undefined) return undefined;
  const fail = (error: ErrorExtra) => failWork(services, entity, reference, error);
  const gone = entity.gone?.(row);
  const inputs = gone === undefined ? await work.inputs(row, reference) : undefined;
  if (inputs === undefined) {
    await fail(inputGone(gone));
    return undefined;
  }
  const prefix = `${runPrefix(entity.kind, reference)}${attempt}/`;
  const step = (directory: string): ComputeStep => {
    const report = createProgressWriter(db, {
      runId,
      attempt,
      event: eventOf(entity, row),
      traits: work.traits?.(row) ?? [''],
      logger,
      ...(size === undefined ? {} : { part: size }),
    });
    const onProgress = ({ stage, done, total }: ComputeProgress): void =>
      report({ stage, done: size === undefined ? done : (done / Math.max(1, total)) * size.size, total });
    return {
      runId,
      signal,
      directory,
      prefix,
      report: onProgress,
      run: (module, input) => compute.run(module, input, { signal, needs, onProgress }),
      put: (files, part = '') => putResults(storage, `${prefix}${part}`, files),
    };
  };
  return { row, inputs, attempt, reference, prefix, needs, fail, step };
}
