import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../logging/logger.ts';
import { EVENT_CHANNEL, type PublishedEvent } from './events.ts';

export interface EventHub {
  /** Calls back for every event of any process, until the returned function is called. */
  subscribe(listener: (event: PublishedEvent) => void): () => void;
  close(): Promise<void>;
}

const LONGEST_WAIT_MS = 5_000;

/** Listens on a connection of its own and opens it again when it breaks. What happened meanwhile is not made up for: browsers poll while they run. */
export async function openEventHub(url: string, logger: Logger): Promise<EventHub> {
  const listeners = new Set<(event: PublishedEvent) => void>();
  let client: pg.Client | undefined;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, application_name: 'heterosis-events', keepAlive: true });
    next.on('notification', ({ payload }) => {
      if (payload === undefined) return;
      const event = JSON.parse(payload) as PublishedEvent;
      for (const listener of listeners) listener(event);
    });
    next.on('error', (error) => logger.warn({ err: error }, 'event connection'));
    next.on('end', () => {
      if (!isClosed) void reconnect();
    });
    await next.connect();
    await next.query(`listen ${EVENT_CHANNEL}`);
    client = next;
  };

  const reconnect = async (): Promise<void> => {
    for (let wait = 200; !isClosed; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      await sleep(wait);
      try {
        await connect();
        return;
      } catch (error) {
        logger.warn({ err: error }, 'event connection');
      }
    }
  };

  await connect();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      await client?.end();
    },
  };
}
