import { Worker } from 'node:worker_threads';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
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
  task: ReplicateTask,
  { first, count }: { first: number; count: number },
  context: AnalysisContext,
): Promise<Omit<ProgrammeRun, 'rows'>> {
  const values: Float64Array[] = [];
  let keys: ProgrammeKey[] = [];
  let done = 0;
  const take = (replicate: number, result: ReplicateResult) => {
    values[replicate - first] = result.values;
    ({ keys } = result);
    reportProgress(context, 'simulate', ++done, count);
  };
  reportProgress(context, 'simulate', 0, count);
  setComputeThreads(1);
  const threads = Math.min(context.threads, count);
  if (threads > 1) await inThreads({ task, first, count, threads, signal: context.signal }, take);
  else {
    for (let replicate = first; replicate < first + count; replicate++) {
      take(replicate, runReplicate(task, replicate));
      // A signal of the user is seen between replicates only.
      await new Promise((resume) => setImmediate(resume));
    }
  }
  return { keys, values };
}

interface ThreadedRun {
  task: ReplicateTask;
  first: number;
  count: number;
  threads: number;
  signal: AbortSignal | undefined;
}

interface Refusal {
  code: StatgenErrorCode;
  message: string;
  details: Readonly<Record<string, number | string>>;
}

/** What a thread answers. */
export type ThreadMessage = { replicate: number } & (ReplicateResult | { refused: Refusal });

/** Every thread takes the next replicate when it has done one. */
async function inThreads(
  { task, first, count, threads, signal }: ThreadedRun,
  take: (replicate: number, result: ReplicateResult) => void,
): Promise<void> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL('./replicate.thread.ts', import.meta.url), { workerData: task }),
  );
  let next = first;
  try {
    await new Promise<void>((resolve, reject) => {
      let left = count;
      const give = (worker: Worker) => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
        if (next < first + count) worker.postMessage(next++);
      };
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('A thread ended before its replicates did.')));
        worker.on('message', (message: ThreadMessage) => {
          try {
            if ('refused' in message) {
              const { code, message: text, details } = message.refused;
              throw new StatgenError(code, text, { ...details });
            }
            take(message.replicate, message);
          } catch (error) {
            reject(error);
            return;
          }
          if (--left === 0) resolve();
          give(worker);
        });
        give(worker);
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
