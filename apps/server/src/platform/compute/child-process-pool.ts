import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { computeEnvironment } from '@heterosis/linalg/threads';
import type { Config } from '../config/config.ts';
import type { Logger } from '../logging/logger.ts';
import { ComputeError, type ComputeOptions, type ComputePool, type ComputeProgress } from './compute.ts';

export interface ChildRequest {
  moduleUrl: string;
  input: unknown;
  threads: number;
}

export type ChildMessage =
  | { type: 'progress'; progress: ComputeProgress }
  | { type: 'result'; result: unknown }
  | {
      type: 'error';
      code: string | undefined;
      message: string;
      details: Record<string, unknown>;
      stack: string | undefined;
    };

const CHILD = join(import.meta.dirname, 'child.ts');
const PROGRESS_INTERVAL_MS = 500;
const KEPT_STDERR = 4000;

/** Variables a child may see: how to find programs and libraries, nothing secret. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH', 'HETEROSIS_BLAS', 'OPENBLAS_CORETYPE'];

/** One child process a job, at most `worker.concurrency` at the same time; further jobs wait for their turn. */
export function createComputePool(config: Pick<Config, 'worker' | 'compute'>, logger: Logger): ComputePool {
  const limit = config.worker.concurrency;
  const threads = config.compute.threads ?? Math.max(1, Math.floor(availableParallelism() / limit));
  const environment = childEnvironment(threads);
  const children = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  const takeTurn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (busy < limit) {
      busy++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(aborted());
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(begin);
    });
  };
  const endTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else busy--;
  };

  return {
    async run<Input, Output>(moduleUrl: URL, input: Input, options: ComputeOptions = {}): Promise<Output> {
      if (options.signal?.aborted) throw aborted();
      await takeTurn(options.signal);
      try {
        const child = fork(CHILD, [], {
          serialization: 'advanced',
          execArgv: [
            `--max-old-space-size=${options.memoryMb ?? config.compute.memoryMb}`,
            '--disable-warning=ExperimentalWarning',
          ],
          env: environment,
          stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        });
        children.add(child);
        try {
          return (await converse(child, { moduleUrl: moduleUrl.href, input, threads }, options, logger)) as Output;
        } finally {
          children.delete(child);
          child.kill('SIGKILL');
        }
      } finally {
        endTurn();
      }
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

function converse(
  child: ChildProcess,
  request: ChildRequest,
  options: ComputeOptions,
  logger: Logger,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    let lastStage = '';
    let lastTold = 0;
    const stop = (): void => {
      child.kill('SIGKILL');
      reject(aborted());
    };
    options.signal?.addEventListener('abort', stop, { once: true });
    const settle = (): void => options.signal?.removeEventListener('abort', stop);

    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_STDERR);
    });
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'progress') {
        const now = performance.now();
        if (message.progress.stage === lastStage && now - lastTold < PROGRESS_INTERVAL_MS) return;
        lastStage = message.progress.stage;
        lastTold = now;
        options.onProgress?.(message.progress);
        return;
      }
      settle();
      if (message.type === 'result') resolve(message.result);
      else {
        if (message.code === undefined) logger.error({ stack: message.stack }, 'compute child failed');
        reject(
          new ComputeError(message.code ?? 'compute/failed', message.message, {
            details: message.details,
            isExpected: message.code !== undefined,
          }),
        );
      }
    });
    child.on('error', (error) => {
      settle();
      reject(
        new ComputeError('compute/crashed', `The computation could not be started: ${error.message}`, { cause: error }),
      );
    });
    child.on('exit', (code, signal) => {
      settle();
      if (stderr !== '') logger.warn({ stderr: stderr.slice(-1000) }, 'compute child');
      const isMemory = /heap out of memory|Array buffer allocation failed/.test(stderr) || signal === 'SIGKILL';
      reject(
        isMemory
          ? new ComputeError('compute/out-of-memory', 'The computation needed more memory than it may use.')
          : new ComputeError(
              'compute/crashed',
              `The computation ended unexpectedly (${signal ?? `exit code ${code}`}).`,
            ),
      );
    });
    child.send(request);
  });
}

function childEnvironment(threads: number): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of PASSED_ON) if (process.env[name] !== undefined) environment[name] = process.env[name];
  return { ...environment, OPENBLAS_NUM_THREADS: String(threads), ...computeEnvironment() };
}

function aborted(): ComputeError {
  return new ComputeError('compute/aborted', 'The computation was stopped.');
}
