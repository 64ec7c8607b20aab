import { Worker } from 'node:worker_threads';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { Scheme } from '@heterosis/statgen/programmes/scheme';
import {
  type ProgrammeKey,
  type ProgrammeRow,
  summarizeReplicates,
} from '@heterosis/statgen/programmes/summarize-replicates';
import { StatgenError, type StatgenErrorCode } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type ReplicateResult, type ReplicateTask, runReplicate } from './run-replicate.ts';

/** What was simulated: means over replicates, and the values behind them. */
export interface ProgrammeRun {
  rows: ProgrammeRow[];
  keys: ProgrammeKey[];
  /** By replicate, in the order of the keys; NaN where a quantity does not exist. */
  values: Float64Array[];
}

/**
 * Replicates of a breeding programme, spread over threads, as means over replicates. Every replicate has random numbers
 * of its own and matrix products of one thread, and rows are made in the order of the replicates, so that the number of
 * threads changes no byte.
 *
 * @throws StatgenError of the first replicate that fails
 */
export async function runProgramme(
  task: ReplicateTask,
  replicates: number,
  context: AnalysisContext,
): Promise<ProgrammeRun> {
  const { keys, values } = await runReplicates(task, { first: 0, count: replicates }, context);
  return { rows: summarizeReplicates(keys, values), keys, values };
}

/** Some of the replicates, counted from 0. @throws StatgenError of the first that fails */
export async function runReplicates(
  { scheme, ...task }: ReplicateTask,
  { first, count }: { first: number; count: number },
  context: AnalysisContext,
): Promise<Omit<ProgrammeRun, 'rows'>> {
  const values: Float64Array[] = [];
  let keys: ProgrammeKey[] = [];
  let done = 0;
  reportProgress(context, 'simulate', 0, count);
  const jobs = Array.from({ length: count }, (_, r) => ({ scheme, replicate: first + r }));
  const simulator = openSimulator(task, context, count);
  try {
    await simulator.simulate(jobs, (place, result) => {
      values[place] = result.values;
      ({ keys } = result);
      reportProgress(context, 'simulate', ++done, count);
    });
  } finally {
    await simulator.close();
  }
  return { keys, values };
}

/** A replicate of a scheme. */
export interface ReplicateJob {
  scheme: Scheme;
  replicate: number;
}

/** Simulates replicates of schemes. */
export interface ReplicateSimulator {
  /**
   * @param take is called with the place of a job and its result, in any order
   * @throws StatgenError of the first that fails
   */
  simulate(jobs: readonly ReplicateJob[], take: (place: number, result: ReplicateResult) => void): Promise<void>;
  close(): Promise<void>;
}

/** Threads that simulate replicates, each with matrix products of one thread; none where one will do. */
export function openSimulator(
  task: Omit<ReplicateTask, 'scheme'>,
  { threads, signal }: AnalysisContext,
  most: number = Number.POSITIVE_INFINITY,
): ReplicateSimulator {
  setComputeThreads(1);
  const count = Math.min(threads, most);
  if (count > 1) return openThreads(task, count, signal);
  return {
    async simulate(jobs, take) {
      for (const [place, { scheme, replicate }] of jobs.entries()) {
        take(place, runReplicate({ ...task, scheme }, replicate));
        // A signal of the user is seen between replicates only.
        await new Promise((resume) => setImmediate(resume));
        signal?.throwIfAborted();
      }
    },
    async close() {},
  };
}

interface Refusal {
  code: StatgenErrorCode;
  message: string;
  details: Readonly<Record<string, number | string>>;
}

/** What a thread is sent, and answers. */
export interface ThreadOrder extends ReplicateJob {
  place: number;
}
export type ThreadMessage = { place: number } & (ReplicateResult | { refused: Refusal });

/** Every thread takes the next replicate when it has done one. */
function openThreads(
  task: Omit<ReplicateTask, 'scheme'>,
  count: number,
  signal: AbortSignal | undefined,
): ReplicateSimulator {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./replicate.thread.ts', import.meta.url), { workerData: task }),
  );
  return {
    async simulate(jobs, take) {
      let next = 0;
      let left = jobs.length;
      if (left === 0) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const give = (worker: Worker) => {
        if (next >= jobs.length) return;
        const order: ThreadOrder = { place: next, ...jobs[next++] };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
        worker.postMessage(order);
      };
      const abort = () => reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      for (const worker of workers) {
        worker.removeAllListeners();
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('A thread ended before its replicates did.')));
        worker.on('message', (message: ThreadMessage) => {
          try {
            if ('refused' in message) {
              const { code, message: text, details } = message.refused;
              throw new StatgenError(code, text, { ...details });
            }
            take(message.place, message);
          } catch (error) {
            reject(error);
            return;
          }
          if (--left === 0) resolve();
          give(worker);
        });
        give(worker);
      }
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async close() {
      for (const worker of workers) worker.removeAllListeners();
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
