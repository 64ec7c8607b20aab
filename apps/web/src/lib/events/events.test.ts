import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type FakeWindow,
  installBrowser,
  installServer,
  noConnection,
  type SentRequest,
} from '../../testing/browser.ts';
import { eventually } from '../../testing/eventually.ts';
import { keys } from '../api/query-keys.ts';
import type * as Live from './live.ts';

const PROJECT = '01900000-0000-7000-8000-000000000001';
const MODEL = '01900000-0000-7000-8000-000000000002';

/** A stream of events that the test writes, and ends. */
class EventSourceStandIn {
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly response = new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
  write = (text: string): void => this.#controller?.enqueue(this.#encoder.encode(text));
  change = (event: object): void => this.write(`data: ${JSON.stringify(event)}\n\n`);
  end = (): void => this.#controller?.close();
}

let browser: FakeWindow;
let streams: EventSourceStandIn[];
let requests: SentRequest[];
let isOnline: boolean;
let stop: (() => void) | undefined;
let live: typeof Live;

beforeEach(() => {
  browser = installBrowser();
  streams = [];
  isOnline = true;
  // Web Locks are for several tabs; here is one.
  vi.stubGlobal('navigator', { onLine: true });
  requests = installServer(() => {
    if (!isOnline) return noConnection();
    const stream = new EventSourceStandIn();
    streams.push(stream);
    return stream.response;
  });
});

afterEach(() => {
  stop?.();
  stop = undefined;
  vi.unstubAllGlobals();
});

/** A tab that listens, with a cached model that has been read. */
async function listen() {
  vi.resetModules();
  const { followEvents } = await import('./events.ts');
  live = await import('./live.ts');
  const client = new QueryClient();
  const detail = [...keys.runs('model', PROJECT), 'detail', MODEL];
  client.setQueryData(detail, { id: MODEL, status: { yield: 'TRAINING' }, progress: { yield: null } });
  client.setQueryData(keys.files(PROJECT), []);
  stop = followEvents(client, 'ann');
  await eventually(() => expect(streams).toHaveLength(1));
  const isStale = (key: readonly unknown[]): boolean => client.getQueryState(key)?.isInvalidated ?? false;
  return { client, detail, isStale };
}

const change = (type: string, more: object = {}) => ({
  type,
  id: MODEL,
  project_id: PROJECT,
  organization_id: null,
  ...more,
});

describe('a message of the stream', () => {
  it('makes what it is about stale, and nothing else', async () => {
    const { detail, isStale } = await listen();
    await eventually(() => expect(live.isLive()).toBe(true));
    streams[0]?.change(change('model'));
    await eventually(() => expect(isStale(detail)).toBe(true));
    expect(isStale(keys.files(PROJECT))).toBe(false);
  });

  it('with progress moves the bar without asking the server again', async () => {
    const { client, detail, isStale } = await listen();
    streams[0]?.change(change('model', { progress: { yield: { stage: 'fit', done: 3, total: 10 } } }));
    await eventually(() =>
      expect(client.getQueryData(detail)).toMatchObject({ progress: { yield: { stage: 'fit', done: 3, total: 10 } } }),
    );
    expect(isStale(detail)).toBe(false);
  });

  it('of a kind that this page does not know yet is passed over, and those after it are read', async () => {
    const { detail, isStale } = await listen();
    streams[0]?.change(change('weather_report'));
    streams[0]?.write(': heartbeat\n\n');
    streams[0]?.change(change('model'));
    await eventually(() => expect(isStale(detail)).toBe(true));
    expect(isStale(keys.files(PROJECT))).toBe(false);
  });

  it('may come in pieces', async () => {
    const { detail, isStale } = await listen();
    const text = `data: ${JSON.stringify(change('model'))}\n\n`;
    streams[0]?.write(text.slice(0, 20));
    streams[0]?.write(text.slice(20));
    await eventually(() => expect(isStale(detail)).toBe(true));
  });

  it('that says the server has missed changes makes everything stale', async () => {
    const { detail, isStale } = await listen();
    streams[0]?.write('event: gap\ndata: {}\n\n');
    await eventually(() => expect(isStale(detail)).toBe(true));
    expect(isStale(keys.files(PROJECT))).toBe(true);
  });
});

/** What the server is asked to tell first. */
const missedOf = (request: SentRequest | undefined): number =>
  Number(new URL(request?.url ?? '', 'http://here').searchParams.get('missed_ms'));

describe('a stream that opens', () => {
  it('begins with what has changed since the page was opened, as its first answers may be older', async () => {
    const pageOpened = Date.now() - 5_000;
    vi.stubGlobal('performance', { timeOrigin: pageOpened });
    await listen();
    expect(missedOf(requests[0])).toBeGreaterThanOrEqual(5_000);
    expect(missedOf(requests[0])).toBeLessThanOrEqual(Date.now() - pageOpened);
  });
});

describe('several tabs', () => {
  /** Tabs of this channel hear each other, each at once. */
  function connectTabs(): void {
    const open = new Set<EventTarget>();
    class Channel extends EventTarget {
      constructor() {
        super();
        open.add(this);
      }
      postMessage(data: unknown): void {
        for (const other of open) {
          if (other !== this) other.dispatchEvent(Object.assign(new Event('message'), { data: structuredClone(data) }));
        }
      }
      close(): void {
        open.delete(this);
      }
    }
    vi.stubGlobal('BroadcastChannel', Channel);
  }

  /** The first tab to ask has the lock; the next gets it when that one ends. */
  function installLocks(): void {
    let last: Promise<unknown> = Promise.resolve();
    const request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
      const turn = last.then(() => (signal.aborted ? undefined : work()));
      last = turn;
      return turn;
    };
    vi.stubGlobal('navigator', { onLine: true, locks: { request } });
  }

  it('share a stream, and a new one is told what changed while it read its first answers', async () => {
    connectTabs();
    installLocks();
    const first = await listen();
    const stopFirst = stop;
    streams[0]?.change(change('model'));
    streams[0]?.change(change('file', { progress: { '': { stage: 'read', done: 1, total: 2 } } }));
    await eventually(() => expect(first.isStale(first.detail)).toBe(true));

    // Its page is a second old, and has been read before the change; it listens only now.
    const { followEvents } = await import('./events.ts');
    const client = new QueryClient();
    client.setQueryData(first.detail, { id: MODEL });
    client.setQueryData(keys.files(PROJECT), []);
    stop = followEvents(client, 'ann');
    expect(client.getQueryState(first.detail)?.isInvalidated).toBe(true);
    expect(client.getQueryState(keys.files(PROJECT))?.isInvalidated).toBe(false);
    expect(streams).toHaveLength(1);

    // It takes over the stream with what may have been missed in between.
    stopFirst?.();
    streams[0]?.end();
    await eventually(() => expect(streams).toHaveLength(2));
    expect(missedOf(requests[1])).toBeGreaterThan(0);
  });
});

describe('a stream that ends', () => {
  it('is opened again; what may have changed meanwhile is asked for again', async () => {
    const { detail, isStale } = await listen();
    await eventually(() => expect(live.isLive()).toBe(true));
    streams[0]?.end();
    await eventually(() => expect(live.isLost()).toBe(true));
    live.tryAgainNow();
    await eventually(() => expect(live.isLive()).toBe(true));
    expect(streams).toHaveLength(2);
    // It may have been dead for two heartbeats before it ended.
    expect(missedOf(requests[1])).toBeGreaterThanOrEqual(40_000);
    expect(missedOf(requests[1])).toBeLessThan(100_000);
    expect(isStale(detail)).toBe(false);
    streams[1]?.change(change('model'));
    await eventually(() => expect(isStale(detail)).toBe(true));
  });

  it('is given up at once when the computer leaves its network', async () => {
    await listen();
    await eventually(() => expect(live.isLive()).toBe(true));
    isOnline = false;
    browser.dispatchEvent(new Event('offline'));
    // The stand-in's body does not hear of the abort by itself, as that of a real fetch does.
    streams[0]?.end();
    await eventually(() => expect(live.isLost()).toBe(true));
    isOnline = true;
    browser.dispatchEvent(new Event('online'));
    await eventually(() => expect(live.isLive()).toBe(true));
  });

  it('is not opened again by somebody who has signed out', async () => {
    await listen();
    await eventually(() => expect(live.isLive()).toBe(true));
    stop?.();
    streams[0]?.end();
    live.tryAgainNow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(streams).toHaveLength(1);
    expect(live.isLost()).toBe(false);
  });
});
