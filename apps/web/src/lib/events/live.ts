import { useSyncExternalStore } from 'react';

/** Of the stream of events: not open yet, open, or it was open and broke off. */
export type Connection = 'unknown' | 'live' | 'lost';

let connection: Connection = 'unknown';
let lostAt = 0;
const listeners = new Set<() => void>();

/** The server sends a heartbeat every 15 s. When two are missing the stream is dead, whatever the browser believes. */
export const LONGEST_SILENCE_MS = 40_000;

export function setLive(connected: boolean): void {
  const next = connected ? 'live' : connection === 'unknown' ? 'unknown' : 'lost';
  if (next === connection) return;
  if (next === 'lost') lostAt = Date.now();
  connection = next;
  for (const listener of listeners) listener();
}

/** Nobody listens any more: there is no connection to lose. */
export function stopLive(): void {
  connection = 'unknown';
  for (const listener of listeners) listener();
}

export function isLive(): boolean {
  return connection === 'live';
}

export function isLost(): boolean {
  return connection === 'lost';
}

/**
 * Until when every change has surely been heard of; undefined when nobody has listened yet. A stream may be dead for a
 * while before that is noticed.
 */
export function heardUntil(): number | undefined {
  if (connection === 'unknown') return undefined;
  return (connection === 'lost' ? lostAt : Date.now()) - LONGEST_SILENCE_MS;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection);
}

const waiting = new Set<() => void>();

/** Makes the stream reconnect at once. */
export function tryAgainNow(): void {
  for (const wake of waiting) wake();
}

/** Waits before the next attempt; ends early when the user asks or the computer is online again. */
export function waitForTry(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      window.removeEventListener('online', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    waiting.add(wake);
    window.addEventListener('online', wake);
  });
}

const POLL_WHILE_DOWN_MS = 3_000;
const POLL_WHILE_LIVE_MS = 20_000;

/**
 * For `refetchInterval` of a query that shows running work: often while the event stream is down, seldom while it is up
 * (a lost message must not leave a bar standing still), never when nothing runs.
 */
export function pollWhile(isRunning: boolean): number | false {
  if (!isRunning) return false;
  return isLive() ? POLL_WHILE_LIVE_MS : POLL_WHILE_DOWN_MS;
}
