import { flushCompileCache } from 'node:module';
import { FileFormatError } from '@heterosis/file-formats/problem';
import type { ComputeFunction } from './compute.ts';
import type { ChildMessage, StartMessage, Timeline } from './messages.ts';

/**
 * Entry point of a compute process: takes a piece of work, answers, and waits for the next. The worker ends it.
 */
process.on('message', (start: StartMessage) => void work(start));
// The worker has ended, so nobody wants a result: end the process and the programs it started.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
// Ctrl-C and some supervisors signal the whole process group. Ignore the signal: the worker decides when this process
// ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

/** Inner loops report progress; messages more frequent than this would cost more than the work itself. */
const PROGRESS_INTERVAL_MS = 100;

async function work({ moduleUrl, input, threads, isTraced = false }: StartMessage): Promise<void> {
  const begun = Date.now();
  const stages: Timeline['stages'] = [];
  const timeline = () => (isTraced ? { timeline: { pid: process.pid, begun, stages, ended: Date.now() } } : {});
  let stage = '';
  let last = 0;
  try {
    const { compute } = (await import(moduleUrl)) as { compute?: ComputeFunction<unknown, unknown> };
    if (compute === undefined) throw new Error(`${moduleUrl} does not export "compute"`);
    const output = await compute(input, {
      threads,
      // Cancelling kills the process, so a final message would not be read.
      signal: new AbortController().signal,
      onProgress(progress) {
        const now = performance.now();
        if (progress.stage === stage && now - last < PROGRESS_INTERVAL_MS && progress.done < progress.total) return;
        if (isTraced && progress.stage !== stage) stages.push({ stage: progress.stage, begun: Date.now() });
        stage = progress.stage;
        last = now;
        process.send?.({ type: 'progress', progress } satisfies ChildMessage);
      },
    });
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
    answer({ type: 'result', output, peakMb, rssMb: rssMb(), ...timeline() });
  } catch (error) {
    answer({ ...describe(error), rssMb: rssMb(), ...timeline() });
  }
}

const rssMb = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);

function answer(message: ChildMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    // An answer that cannot be sent: without one the end of this process is the answer.
    if (error !== null) process.exit(1);
    // What was compiled is written at the end of a process, but this one is killed.
    flushCompileCache();
  });
}

/**
 * Errors of packages/* carry a code and numbers; a system error (ENOSPC, ENOENT …) has a code too, but is not the
 * input's fault.
 */
function describe(error: unknown): Omit<Extract<ChildMessage, { type: 'error' }>, 'rssMb'> {
  if (!(error instanceof Error))
    return { type: 'error', code: undefined, message: String(error), stack: undefined, details: {} };
  const { message, stack } = error;
  // Read it explicitly: in some classes it is a getter, which a spread does not copy.
  const { code } = error as { code?: unknown };
  const isSystemError = 'syscall' in error || (typeof code === 'string' && /^(ERR_|E[A-Z]+$)/.test(code));
  const details: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(error)) if (name !== 'code' && isPlain(value)) details[name] = value;
  if (error instanceof FileFormatError) details['suggestion'] = error.problem.suggestion;
  return {
    type: 'error',
    code: typeof code === 'string' && !isSystemError ? code : undefined,
    message,
    stack,
    details,
  };
}

/** The fields that structured clone can copy. */
function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) || isPlainObject(value);
}

function isPlainObject(value: unknown): boolean {
  return (
    (Array.isArray(value) && value.every(isPlain)) ||
    (typeof value === 'object' &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype &&
      Object.values(value).every(isPlain))
  );
}
