import { ComputeError } from './compute.ts';
import type { ChildMessage } from './messages.ts';

/** The error that a compute process reported. */
export function asComputeError({
  code,
  message,
  details,
  stack,
}: Extract<ChildMessage, { type: 'error' }>): ComputeError {
  return new ComputeError(code ?? 'compute/failed', message, { details, isExpected: code !== undefined, cause: stack });
}

export const aborted = (signal: AbortSignal): ComputeError =>
  new ComputeError('compute/aborted', 'The calculation was stopped.', { cause: signal.reason });

/** V8 writes this to the standard error before it aborts with a full heap. */
export const isHeapFull = (stderr: string): boolean => /heap out of memory|Array buffer allocation failed/.test(stderr);

export const outOfMemory = (details: Record<string, unknown>, isExpected: boolean): ComputeError =>
  new ComputeError('compute/out-of-memory', 'The calculation needed more memory than it may use.', {
    details,
    isExpected,
  });

export const crashed = (details: Record<string, unknown>, cause: unknown): ComputeError =>
  new ComputeError('compute/crashed', 'The calculation ended unexpectedly.', { details, cause });
