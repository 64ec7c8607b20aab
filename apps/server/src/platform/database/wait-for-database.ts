import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from './database.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export interface Patience {
  /** How long to try; 0 tries once. */
  seconds: number;
  /** Told once, when the first try has failed. */
  onWait: (error: Error) => void;
}

/**
 * Repeats `work` while the database cannot be reached, with growing pauses. `work` must leave nothing behind when it
 * throws. After `seconds`, and for any other error, throws what `work` threw.
 */
export async function whenDatabaseAnswers<Result>(
  { seconds, onWait }: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + seconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + pause > deadline) throw error;
      if (pause === FIRST_PAUSE_MS) onWait(error as Error);
      await sleep(pause);
    }
  }
}

/** The migrator wraps the error of its connection. */
const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isDatabaseUnavailable((error as Error).cause);
