import { aborted } from './endings.ts';

/** Places for pieces of work; further ones wait in their order. */
export interface Slots {
  /** Waits for a place. Throws a `ComputeError` when aborted meanwhile. */
  take(signal: AbortSignal): Promise<void>;
  /** Passes the place to the next that waits, or releases it. */
  free(): void;
  busy(): number;
}

export function createSlots(size: number): Slots {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    async take(signal) {
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
    },
    free() {
      const next = waiting.shift();
      if (next === undefined) busy--;
      else next();
    },
    busy: () => busy,
  };
}
