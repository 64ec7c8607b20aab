import { useSyncExternalStore } from 'react';

/** A server that has answered nothing for this long, though something waits for it, is named. */
const SILENT_MS = 5_000;
/** One slow answer is no silence: after this long the server is asked for something that it answers at once. */
const PROBE_MS = 2_500;

/**
 * Watches whether the server answers at all. Browsers tell of a connection that is lost, but not of a server that took
 * the request and is stuck.
 */
export class SilenceWatch {
  readonly #probe: () => Promise<unknown>;
  readonly #listeners = new Set<() => void>();
  #waiting = 0;
  #isSilent = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  isSilent = (): boolean => this.#isSilent;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Passes on what a request gives. Any end of it shows that somebody is there, or is told of by itself. */
  async watch<Answer>(request: Promise<Answer>): Promise<Answer> {
    this.#waiting++;
    if (this.#waiting === 1) this.#listen();
    try {
      return await request;
    } finally {
      this.#waiting--;
      this.#heard();
    }
  }

  #heard(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#set(false);
    if (this.#waiting > 0) this.#listen();
  }

  #listen(): void {
    const ask = (): void =>
      void this.#probe().then(
        () => this.#heard(),
        () => undefined,
      );
    this.#timers = [setTimeout(ask, PROBE_MS), setTimeout(() => this.#set(true), SILENT_MS)];
  }

  #set(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return;
    this.#isSilent = isSilent;
    for (const listener of this.#listeners) listener();
  }
}

export const silence: SilenceWatch = new SilenceWatch(() => fetch('/healthz', { cache: 'no-store' }));

/** Whether something has waited for the server for five seconds, in which it answered nothing. */
export const useIsSilent = (): boolean => useSyncExternalStore(silence.subscribe, silence.isSilent);
