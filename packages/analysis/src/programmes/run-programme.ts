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
  const values: Float64Array[] = [];
  let keys: ProgrammeKey[] = [];
  let done = 0;
  const take = (replicate: number, result: ReplicateResult) => {
    values[replicate] = result.values;
    ({ keys } = result);
    reportProgress(context, 'simulate', ++done, replicates);
  };
  reportProgress(context, 'simulate', 0, replicates);
  setComputeThreads(1);
  const threads = Math.min(context.threads, replicates);
  if (threads > 1) await inThreads({ task, replicates, threads, signal: context.signal }, take);
  else {
    for (let replicate = 0; replicate < replicates; replicate++) {
      take(replicate, runReplicate(task, replicate));
      // A signal of the user is seen between replicates only.
      await new Promise((resume) => setImmediate(resume));
    }
  }
  return { rows: summarizeReplicates(keys, values), keys, values };
}

interface ThreadedRun {
  task: ReplicateTask;
  replicates: number;
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
  { task, replicates, threads, signal }: ThreadedRun,
  take: (replicate: number, result: ReplicateResult) => void,
): Promise<void> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL('./replicate.thread.ts', import.meta.url), { workerData: task }),
  );
  let next = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      let left = replicates;
      const give = (worker: Worker) => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
        if (next < replicates) worker.postMessage(next++);
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
