import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { basename, join } from 'node:path';
import { computeChildEnvironment } from '../config/config.ts';
import type { Logger } from '../logging/logger.ts';
import type { OpenSpan } from '../tracing/spans.ts';
import { traced } from '../tracing/tracing.ts';
import { ComputeError, type ComputeOptions, type ComputePool, type ComputeProgress } from './compute.ts';
import { aborted, asComputeError, crashed, isHeapFull, outOfMemory } from './endings.ts';
import type { ChildMessage, StartMessage, Timeline } from './messages.ts';
import { createSlots } from './slots.ts';

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
/** A child that waits for work ends after this time. */
const KEEP_MS = 15_000;
/** A child with more memory than this is not kept: it would hold back what other processes need. */
const KEEP_MB = 384;
/** A kept child ends after this many pieces of work, so that nothing it might leak adds up. */
const KEEP_USES = 100;
const PROGRESS_INTERVAL_MS = 500;
/** Length of the child's standard error that is kept for the error message. */
const STDERR_BYTES = 8_000;

export function createComputePool({ size, threads, memoryMb, logger, environment }: ComputePoolOptions): ComputePool {
  const closing = new AbortController();
  const slots = createSlots(size);
  /** Children that have ended a piece of work and wait for the next, the latest last. */
  const idle: Child[] = [];
  let extra: Record<string, string> | undefined;

  function startChild(heapMb: number): Child {
    extra ??= environment?.() ?? {};
    const child = fork(CHILD, [], {
      execArgv: [`--max-old-space-size=${heapMb}`, YOUNG_SPACE, '--disable-warning=ExperimentalWarning'],
      // Nothing secret: no DATABASE_URL, no SECRET_KEY.
      env: { ...computeChildEnvironment(), ...extra, OPENBLAS_NUM_THREADS: String(threads) },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // In a process group of its own, so that programs that it starts (Beagle) end with it.
      detached: true,
    });
    const started: Child = { process: child, heapMb, uses: 0, stderr: '', timer: undefined };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      started.stderr = (started.stderr + text).slice(-STDERR_BYTES);
    });
    child.on('error', (error) => {
      started.failure = error;
    });
    child.once('exit', () => forget(started));
    return started;
  }

  /** A waiting child with this heap, or a new one. There are never more children than slots. */
  function takeChild(heapMb: number): Child {
    const child = idle.findLast((one) => one.heapMb === heapMb);
    if (child === undefined) {
      const [oldest] = idle;
      if (oldest !== undefined && idle.length + slots.busy() > size) retire(oldest);
      return startChild(heapMb);
    }
    forget(child);
    hold(child, 'ref');
    return child;
  }

  /** Keeps a child for the next piece of work; waiting, it does not keep this process from ending. */
  function keep(child: Child): void {
    child.timer = setTimeout(() => retire(child), KEEP_MS).unref();
    hold(child, 'unref');
    idle.push(child);
  }

  function forget(child: Child): void {
    clearTimeout(child.timer);
    const place = idle.indexOf(child);
    if (place !== -1) idle.splice(place, 1);
  }

  function retire(child: Child): void {
    forget(child);
    killGroup(child.process);
  }

  return {
    run: <Input, Output>(moduleUrl: URL, input: Input, options: ComputeOptions = {}): Promise<Output> =>
      traced(`compute ${nameOf(moduleUrl.href)}`, {}, (span) => run<Input, Output>(moduleUrl, input, options, span)),
    async close() {
      closing.abort(new Error('The compute pool is closed.'));
      for (const child of [...idle]) retire(child);
    },
  };

  async function run<Input, Output>(
    moduleUrl: URL,
    input: Input,
    options: ComputeOptions,
    span: OpenSpan | undefined,
  ): Promise<Output> {
    const signal = AbortSignal.any([closing.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    if (signal.aborted) throw aborted(signal);
    await slots.take(signal);
    try {
      const child = takeChild(options.memoryMb ?? memoryMb);
      const start: StartMessage = { moduleUrl: moduleUrl.href, input, threads, isTraced: span !== undefined };
      const { outcome, rssMb, timeline } = await converse(child, start, { ...options, signal, logger });
      child.uses++;
      if (span !== undefined && timeline !== undefined) recordTimeline(span, timeline);
      const isSound = !(outcome instanceof ComputeError) || outcome.isExpected;
      if (isSound && rssMb <= KEEP_MB && child.uses < KEEP_USES && !signal.aborted) keep(child);
      else retire(child);
      if (outcome instanceof ComputeError) throw outcome;
      return outcome.output as Output;
    } finally {
      slots.free();
    }
  }
}

const nameOf = (moduleUrl: string): string => basename(moduleUrl, '.compute.ts');

/**
 * What the child did, by its own clock. It sends nothing to a collector itself: it has no address of one, and is killed
 * rather than ended.
 */
function recordTimeline(span: OpenSpan, { pid, begun, stages, ended }: Timeline): void {
  const attributes = { 'process.pid': pid };
  span.record('child', { from: begun, to: ended }, attributes);
  for (const [i, { stage, begun: from }] of stages.entries())
    span.record(`stage ${stage}`, { from, to: stages[i + 1]?.begun ?? ended }, attributes);
}

/** A process that does one piece of work after the other. */
interface Child {
  process: ChildProcess;
  heapMb: number;
  /** Pieces of work that it has done. */
  uses: number;
  /** The end of what it wrote to its standard error. */
  stderr: string;
  /** Ends it when no work comes. */
  timer: NodeJS.Timeout | undefined;
  /** Why it could not be started or reached. */
  failure?: Error;
}

/** Whether this process stays alive for the child. */
function hold({ process: child }: Child, how: 'ref' | 'unref'): void {
  child[how]();
  child.channel?.[how]();
  (child.stderr as Socket | null)?.[how]();
}

interface Answer {
  outcome: { output: unknown } | ComputeError;
  /** Memory of the child after the work. */
  rssMb: number;
  timeline: Timeline | undefined;
}

/** Sends the work to the child and waits for its answer, or its end. */
function converse(
  child: Child,
  start: StartMessage,
  { signal, onProgress, logger }: Pick<ComputeOptions, 'onProgress'> & { signal: AbortSignal; logger: Logger },
): Promise<Answer> {
  const report = onProgress === undefined ? undefined : throttle(onProgress);
  const started = performance.now();
  const { process: running } = child;
  return new Promise((resolve, reject) => {
    const hear = (message: ChildMessage): void => {
      if (message.type === 'progress') return report?.(message.progress);
      stopListening();
      const { rssMb, timeline } = message;
      if (signal.aborted) return reject(aborted(signal));
      if (message.type === 'error') return resolve({ outcome: asComputeError(message), rssMb, timeline });
      const ms = Math.round(performance.now() - started);
      logger.debug({ compute: nameOf(start.moduleUrl), ms, peak_mb: message.peakMb }, 'computed');
      resolve({ outcome: { output: message.output }, rssMb, timeline });
    };
    const end = (exitCode: number | null, killedBy: NodeJS.Signals | null): void => {
      stopListening();
      if (signal.aborted) return reject(aborted(signal));
      const { stderr, failure } = child;
      logger.error({ exit_code: exitCode, signal: killedBy, stderr, err: failure }, 'a compute process died');
      reject(deathOf(exitCode, killedBy, stderr, failure));
    };
    const neverStarted = (): void => {
      if (running.pid === undefined) end(null, null);
    };
    const kill = (): void => killGroup(running);
    const stopListening = (): void => {
      signal.removeEventListener('abort', kill);
      running.off('message', hear).off('close', end).off('error', neverStarted);
    };
    signal.addEventListener('abort', kill, { once: true });
    running.on('message', hear).on('close', end).on('error', neverStarted);
    running.send(start, (error) => {
      if (error !== null) child.failure = error;
    });
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
  // A heap that was too small fails again. After the kernel's out-of-memory killer a retry may find enough memory.
  if (killedBy === 'SIGKILL') return outOfMemory(details, false);
  if (isHeapFull(stderr)) return outOfMemory(details, true);
  return crashed(details, cause ?? stderr);
}

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
