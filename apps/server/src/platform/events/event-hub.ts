import pg from 'pg';
import type { Logger } from '../logging/logger.ts';
import { EVENT_CHANNEL, type PublishedEvent } from './events.ts';

/** Forwards events published by any process to the listeners in this one. */
export interface EventHub {
  /** Returns a function that stops listening. */
  subscribe(listener: (event: PublishedEvent) => void): () => void;
  /**
   * What was published in the last milliseconds, oldest first and without mere progress; undefined when this process
   * does not know all of it.
   */
  listRecent(milliseconds: number): PublishedEvent[] | undefined;
  /** Called after a gap in which events may have been missed. Returns a function that unsubscribes. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;
/** A silent loss of the connection is found by a query at this interval. */
const PROBE_MS = 20_000;
const KEPT_MS = 120_000;
const MOST_KEPT = 5_000;

/** Listens on a dedicated connection and reconnects when it breaks. */
export function createEventHub(url: string, logger: Logger): EventHub {
  const listeners = new Set<(event: PublishedEvent) => void>();
  const gapListeners = new Set<() => void>();
  const kept: { at: number; event: PublishedEvent }[] = [];
  /** Since when `kept` is complete. */
  let completeSince = Number.POSITIVE_INFINITY;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let probe: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, application_name: 'heterosis-events', keepAlive: true });
    // A lost connection can be noticed in several ways; only the first may start a reconnect.
    let lost = false;
    const lose = (error?: Error) => {
      if (lost || closed) return;
      lost = true;
      completeSince = Number.POSITIVE_INFINITY;
      clearInterval(probe);
      logger.warn({ err: error }, 'the event connection broke and is opened again');
      fresh.end().catch(() => {});
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    fresh.on('error', lose);
    fresh.on('end', () => lose());
    fresh.on('notification', ({ payload }) => deliver(payload ?? ''));
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${EVENT_CHANNEL}`);
    } catch (error) {
      lose(error as Error);
      return;
    }
    kept.length = 0;
    completeSince = performance.now();
    // Also after the first connection: earlier subscribers may have missed events.
    for (const listener of gapListeners) listener();
    probe = setInterval(() => void fresh.query('select 1').catch(lose), PROBE_MS);
    probe.unref();
  }

  function deliver(payload: string): void {
    const event = JSON.parse(payload) as PublishedEvent;
    if (event.progress === undefined && event.runs_before === undefined) keep(event);
    for (const listener of listeners) listener(event);
  }

  function keep(event: PublishedEvent): void {
    const now = performance.now();
    for (let [oldest] = kept; oldest; [oldest] = kept) {
      if (kept.length < MOST_KEPT && oldest.at > now - KEPT_MS) break;
      completeSince = oldest.at;
      kept.shift();
    }
    kept.push({ at: now, event });
  }

  const connecting = connect();

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listRecent(milliseconds) {
      const from = performance.now() - milliseconds;
      if (from <= completeSince) return undefined;
      return kept.filter(({ at }) => at >= from).map(({ event }) => event);
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(probe);
      await connecting;
      await client?.end().catch(() => {});
    },
  };
}
