import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeWindow, installBrowser, installServer, noConnection } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import type * as Live from './live.ts';
import { keys } from './query-keys.ts';

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
let isOnline: boolean;
let stop: (() => void) | undefined;
let live: typeof Live;

beforeEach(() => {
  browser = installBrowser();
  streams = [];
  isOnline = true;
  // Web Locks are for several tabs; here is one.
  vi.stubGlobal('navigator', { onLine: true });
  installServer(() => {
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

describe('a stream that ends', () => {
  it('is opened again; what may have changed meanwhile is asked for again', async () => {
    const { detail, isStale } = await listen();
    await eventually(() => expect(live.isLive()).toBe(true));
    streams[0]?.end();
    await eventually(() => expect(live.isLost()).toBe(true));
    expect(isStale(detail)).toBe(false);
    live.tryAgainNow();
    await eventually(() => expect(live.isLive()).toBe(true));
    expect(streams).toHaveLength(2);
    expect(isStale(detail)).toBe(true);
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
