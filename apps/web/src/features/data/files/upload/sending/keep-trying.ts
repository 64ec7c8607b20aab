import { Problem } from '../../../../../lib/api/problem.ts';
import { waitBeforeTry } from './upload-plan.ts';

interface Patience {
  signal: AbortSignal;
  /** Called with what came in between before each wait, and with undefined when it goes on. */
  onPause: (problem: Problem | undefined) => void;
}

/** A fault of the server may be one that stays. */
const MOST_FAULTS = 5;

/** Ends all waits at once: the line is back, or the user does not want to wait. */
const waiting = new Set<() => void>();
export function tryNow(): void {
  for (const wake of waiting) wake();
}

/**
 * Does `work` until it succeeds or fails for a reason that time does not mend. A lost connection may last for hours.
 */
export async function keepTrying<Result>(work: () => Promise<Result>, { signal, onPause }: Patience): Promise<Result> {
  let faults = 0;
  for (let failures = 1; ; failures++) {
    try {
      const result = await work();
      if (failures > 1) onPause(undefined);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem) || !isPassing(error)) throw error;
      if (error.status === 500 && ++faults >= MOST_FAULTS) throw error;
      onPause(error);
      await wait(waitBeforeTry(failures, Math.random()), signal);
    }
  }
}

const PASSING = new Set([0, 408, 425, 429, 500, 502, 503, 504]);

function isPassing(problem: Problem): boolean {
  return PASSING.has(problem.status);
}

/** Rejects when the signal aborts. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      waiting.delete(end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    waiting.add(end);
    signal.addEventListener('abort', end);
  });
}
