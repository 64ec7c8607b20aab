import type { Needs } from './job.ts';

/** What a worker has for its jobs. */
export interface Offer {
  cores: number;
  memoryMb: number;
  /** Free where jobs write their files, now. */
  diskMb(): Promise<number>;
}

/** What a job needs is more than this worker has; another one may have it. */
export class TooSmallError extends Error {
  readonly needs: Needs;

  constructor(needs: Needs) {
    super('This worker is too small for the job.');
    this.name = 'TooSmallError';
    this.needs = needs;
  }
}

export interface Room {
  /**
   * Waits until the memory is free, in the order of the calls, so that small jobs do not starve a large one; returns
   * what gives it back. Throws `TooSmallError` for what never fits, and the signal's reason when aborted.
   */
  take(needs: Needs, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  memoryMb: number;
  begin(): void;
}

export function createRoom({ memoryMb: total, diskMb }: Offer): Room {
  const waiting: Waiting[] = [];
  let free = total;

  const admit = (): void => {
    for (;;) {
      const [next] = waiting;
      if (next === undefined || next.memoryMb > free) return;
      waiting.shift();
      free -= next.memoryMb;
      next.begin();
    }
  };

  return {
    async take(needs, signal) {
      const { memoryMb } = needs;
      if (memoryMb > total || needs.diskMb > (await diskMb())) throw new TooSmallError(needs);
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason);
          // The one behind may be smaller.
          admit();
        };
        const one: Waiting = {
          memoryMb,
          begin() {
            signal.removeEventListener('abort', giveUp);
            resolve();
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(one);
        admit();
      });
      return () => {
        free += memoryMb;
        admit();
      };
    },
  };
}
