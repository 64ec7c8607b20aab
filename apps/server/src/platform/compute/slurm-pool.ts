import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';
import { scratchName } from '../processes/scratch-name.ts';
import { traced } from '../tracing/tracing.ts';
import { ComputeError, type ComputeOptions, type ComputePool } from './compute.ts';
import { aborted, crashed, outOfMemory } from './endings.ts';
import { createSlots } from './slots.ts';
import type { Slurm } from './slurm.ts';
import { openExchange, type SlurmExchange } from './slurm-exchange.ts';

export interface SlurmPoolOptions {
  /** Most jobs in the cluster at a time; further calls wait. */
  size: number;
  /** Threads of a job, so many cores it asks for. */
  threads: number;
  /** JavaScript heap of a job. */
  memoryMb: number;
  /** Where exchanges are made: on a file system that the nodes share. */
  directory: string;
  /** Further options of sbatch: partition, account, time. */
  options: readonly string[];
  slurm: Slurm;
  logger: Logger;
}

const CHILD = join(import.meta.dirname, 'slurm-child.ts');
/** Besides the heap: the program itself, matrices outside the heap, OpenBLAS. */
const MEMORY_BESIDE_MB = 1024;
const LOOK_MS = 500;
/** Slurm's controller is shared, so it is asked less often than the directory. */
const ASK_MS = 10_000;
/** How long the answer of a job that has ended may take to come through a network file system. */
const ANSWER_MS = 60_000;
const LOG_CHARACTERS = 4_000;

/** States from which a job goes on, or begins again. */
const ALIVE = new Set(['PENDING', 'CONFIGURING', 'RUNNING', 'COMPLETING', 'SUSPENDED', 'REQUEUED', 'STOPPED']);

/**
 * Gives each piece of work to the cluster as a job of its own, and waits for the answer. A job whose node dies is
 * started again by Slurm. When this process dies, its jobs end by themselves within minutes.
 */
export function createSlurmPool(pool: SlurmPoolOptions): ComputePool {
  const { size, threads, memoryMb, directory, slurm, logger } = pool;
  const closing = new AbortController();
  const slots = createSlots(size);
  return {
    async run<Input, Output>(moduleUrl: URL, input: Input, options: ComputeOptions = {}): Promise<Output> {
      const signal = AbortSignal.any([closing.signal, ...(options.signal === undefined ? [] : [options.signal])]);
      if (signal.aborted) throw aborted(signal);
      await slots.take(signal);
      const own = join(directory, scratchName());
      try {
        await mkdir(own, { recursive: true, mode: 0o700 });
        const exchange = openExchange(own);
        const heapMb = options.memoryMb ?? memoryMb;
        const name = basename(moduleUrl.pathname, '.compute.ts');
        await exchange.putInput({ moduleUrl: moduleUrl.href, input, threads, memoryMb: heapMb });
        const job = await slurm.submit(batchScript(own), [
          `--job-name=heterosis-${name}`,
          ...jobOptions({
            threads,
            memoryMb: Math.max(heapMb, options.needs?.memoryMb ?? 0) + MEMORY_BESIDE_MB,
            log: exchange.log,
          }),
          ...pool.options,
        ]);
        logger.debug({ slurm_job: job }, 'submitted to Slurm');
        try {
          const following = { ...options, signal };
          return (await traced(`compute ${name}`, { attributes: { 'slurm.job_id': job } }, () =>
            follow(exchange, slurm, job, following),
          )) as Output;
        } catch (error) {
          if (signal.aborted)
            await slurm
              .cancel(job)
              .catch((reason: unknown) => logger.warn({ err: reason, slurm_job: job }, 'a job could not be cancelled'));
          throw error;
        }
      } finally {
        await rm(own, { recursive: true, force: true });
        slots.free();
      }
    },
    async close() {
      closing.abort(new Error('The worker is shutting down.'));
    },
  };
}

const jobOptions = ({ threads, memoryMb, log }: { threads: number; memoryMb: number; log: string }): string[] => [
  '--requeue',
  '--nodes=1',
  '--ntasks=1',
  `--cpus-per-task=${threads}`,
  `--mem=${memoryMb}M`,
  `--output=${log}`,
  '--open-mode=append',
  '--export=ALL',
];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Without `exec` the shell would keep a SIGTERM from the program. */
const batchScript = (directory: string): string =>
  `#!/bin/sh\nexec ${[process.execPath, CHILD, directory].map(quote).join(' ')}\n`;

/** Waits until the job has answered or ended. */
async function follow(
  exchange: SlurmExchange,
  slurm: Slurm,
  job: string,
  { signal, onProgress }: Pick<ComputeOptions, 'onProgress'> & { signal: AbortSignal },
): Promise<unknown> {
  let shown = '';
  let askedAt = performance.now();
  let endedAt: number | undefined;
  for (;;) {
    if (signal.aborted) throw aborted(signal);
    const answer = await exchange.answer();
    if (answer !== undefined) {
      if ('output' in answer) return answer.output;
      const { code, message, ...rest } = answer.error;
      throw new ComputeError(code, message, rest);
    }
    const progress = await exchange.progress();
    if (progress !== undefined && JSON.stringify(progress) !== shown) {
      shown = JSON.stringify(progress);
      onProgress?.(progress);
    }
    if (performance.now() - askedAt > ASK_MS) {
      askedAt = performance.now();
      await exchange.touch();
      const state = await slurm.state(job).catch(() => 'RUNNING');
      if (state === undefined || !ALIVE.has(state)) {
        endedAt ??= performance.now();
        if (state !== 'COMPLETED' || performance.now() - endedAt > ANSWER_MS) throw await endOf(exchange, job, state);
      } else endedAt = undefined;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

async function endOf(exchange: SlurmExchange, job: string, state: string | undefined): Promise<ComputeError> {
  const log = await readFile(exchange.log, 'utf8').catch(() => '');
  const details = { slurm_job: job, slurm_state: state ?? 'unknown' };
  // A retry asks for the same memory.
  if (state === 'OUT_OF_MEMORY') return outOfMemory(details, true);
  return crashed(details, log.slice(-LOG_CHARACTERS));
}
