import { type ChildProcess, fork } from 'node:child_process';
import { basename, join } from 'node:path';
import { computeChildEnvironment } from '../config/config.ts';
import type { Logger } from '../logging/logger.ts';
import { ComputeError, type ComputeOptions, type ComputePool, type ComputeProgress } from './compute.ts';
import type { ChildMessage, StartMessage } from './messages.ts';

export interface ComputePoolOptions {
  /** Most children at a time; further calls wait. */
  size: number;
  /** Threads of one child. */
  threads: number;
  memoryMb: number;
  logger: Logger;
  /** Added to the environment of the children: selects the kernels of OpenBLAS. */
  environment?: () => Record<string, string>;
}

const CHILD = join(import.meta.dirname, 'child.ts');
/**
 * Semi-space in MB. V8 lets it grow tenfold; the garbage of a block of markers is short-lived, so a small one
 * suffices.
 */
const YOUNG_SPACE = '--max-semi-space-size=8';
const PROGRESS_INTERVAL_MS = 500;
/** Length of the child's standard error that is kept for the error message. */
const STDERR_BYTES = 8_000;

export function createComputePool({ size, threads, memoryMb, logger, environment }: ComputePoolOptions): ComputePool {
  const closing = new AbortController();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let extra: Record<string, string> | undefined;

  async function takeSlot(signal: AbortSignal): Promise<void> {
    if (busy < size) {
      busy++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(aborted(signal));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(turn);
    });
  }

  /** Passes the slot to the next waiting call, or releases it. */
  function freeSlot(): void {
    const next = waiting.shift();
    if (next === undefined) busy--;
    else next();
  }

  return {
    async run<Input, Output>(moduleUrl: URL, input: Input, options: ComputeOptions = {}): Promise<Output> {
      const signal = AbortSignal.any([closing.signal, ...(options.signal === undefined ? [] : [options.signal])]);
      if (signal.aborted) throw aborted(signal);
      await takeSlot(signal);
      try {
        extra ??= environment?.() ?? {};
        const heapMb = options.memoryMb ?? memoryMb;
        const child = fork(CHILD, [], {
          execArgv: [`--max-old-space-size=${heapMb}`, YOUNG_SPACE, '--disable-warning=ExperimentalWarning'],
          // Nothing secret: no DATABASE_URL, no SECRET_KEY.
          env: { ...computeChildEnvironment(), ...extra, OPENBLAS_NUM_THREADS: String(threads) },
          serialization: 'advanced',
          stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
          // In a process group of its own, so that programs that it starts (Beagle) end with it.
          detached: true,
        });
        const start: StartMessage = { moduleUrl: moduleUrl.href, input, threads };
        return (await converse(child, start, signal, options.onProgress, logger)) as Output;
      } finally {
        freeSlot();
      }
    },
    async close() {
      closing.abort(new Error('The compute pool is closed.'));
    },
  };
}

/** Sends the work to the child and waits until it has answered and exited. */
function converse(
  child: ChildProcess,
  start: StartMessage,
  signal: AbortSignal,
  onProgress: ((progress: ComputeProgress) => void) | undefined,
  logger: Logger,
): Promise<unknown> {
  const report = onProgress === undefined ? undefined : throttle(onProgress);
  const started = performance.now();
  let stderr = '';
  let outcome: { output: unknown } | { error: ComputeError } | undefined;

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_BYTES);
  });
  child.on('message', (message: ChildMessage) => {
    if (message.type === 'progress') report?.(message.progress);
    else if (message.type === 'result') {
      outcome = { output: message.output };
      const ms = Math.round(performance.now() - started);
      logger.debug({ compute: basename(start.moduleUrl, '.compute.ts'), ms, peak_mb: message.peakMb }, 'computed');
    } else
      outcome = {
        error: new ComputeError(message.code ?? 'compute/failed', message.message, {
          details: message.details,
          isExpected: message.code !== undefined,
          cause: message.stack,
        }),
      };
  });
  const kill = () => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });

  return new Promise((resolve, reject) => {
    let failedToStart: Error | undefined;
    child.on('error', (error) => {
      failedToStart = error;
      if (child.pid === undefined) finish(null, null);
    });
    child.once('close', finish);
    child.send(start, (error) => {
      if (error !== null) failedToStart = error;
    });

    function finish(exitCode: number | null, killedBy: NodeJS.Signals | null): void {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(aborted(signal));
      else if (outcome !== undefined && 'output' in outcome) resolve(outcome.output);
      else if (outcome !== undefined) reject(outcome.error);
      else {
        logger.error({ exit_code: exitCode, signal: killedBy, stderr, err: failedToStart }, 'a compute process died');
        reject(deathOf(exitCode, killedBy, stderr, failedToStart));
      }
    }
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * V8 aborts (SIGABRT) when the heap is full. A SIGKILL that we did not send comes from the kernel's out-of-memory
 * killer.
 */
function deathOf(
  exitCode: number | null,
  killedBy: NodeJS.Signals | null,
  stderr: string,
  cause?: Error,
): ComputeError {
  const details = { exit_code: exitCode, signal: killedBy };
  if (/heap out of memory|Array buffer allocation failed/.test(stderr) || killedBy === 'SIGKILL')
    return new ComputeError('compute/out-of-memory', 'The calculation needed more memory than it may use.', {
      details,
      // A heap that was too small fails again. After the kernel's out-of-memory killer a retry may find enough memory.
      isExpected: killedBy !== 'SIGKILL',
    });
  return new ComputeError('compute/crashed', 'The calculation ended unexpectedly.', {
    details,
    cause: cause ?? stderr,
  });
}

const aborted = (signal: AbortSignal): ComputeError =>
  new ComputeError('compute/aborted', 'The calculation was stopped.', { cause: signal.reason });

/** Passes on the first report of a stage at once, then at most two a second. */
function throttle(onProgress: (progress: ComputeProgress) => void): (progress: ComputeProgress) => void {
  let stage: string | undefined;
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.stage === stage && now - last < PROGRESS_INTERVAL_MS && progress.done < progress.total) return;
    stage = progress.stage;
    last = now;
    onProgress(progress);
  };
}
