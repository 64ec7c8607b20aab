import { eventsApi } from '@heterosis/contracts/endpoints/operation/events';
import { type ChangeEvent, changeEvent } from '@heterosis/contracts/events';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api/api-client.ts';
import { randomUuid } from '../api/http.ts';
import { applyEvent } from './apply-event.ts';
import { broadcast } from './broadcast.ts';
import { EventStreamParser } from './event-stream.ts';
import { heardUntil, isLive, LONGEST_SILENCE_MS, setLive, stopLive, waitForTry } from './live.ts';

type Message =
  | { kind: 'event'; event: ChangeEvent }
  | { kind: 'connected'; connected: boolean }
  | { kind: 'missed' }
  /** A new tab asks, and names the time since which it may have read answers. */
  | { kind: 'who-leads'; tab: string; openedAt: number }
  | { kind: 'recent'; tab: string; events: ChangeEvent[] };

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** A new tab is told of changes at most this old. */
const KEPT_MS = 60_000;
/** Who has been away for longer hears of a gap in any case. */
const LONGEST_GAP_MS = 3_600_000;

/**
 * Listens to `GET /api/events` and keeps the queries fresh, until the returned function is called. One tab of a user
 * holds the stream and passes the messages on: browsers allow six connections to a server over HTTP/1.1, and six open
 * tabs would otherwise use them up.
 */
export function followEvents(client: QueryClient, userId: string): () => void {
  const stopped = new AbortController();
  const name = `heterosis.events.${userId}`;
  const channel = new BroadcastChannel(name);
  const tab = randomUuid();
  const openedAt = Math.max(performance.timeOrigin, Date.now() - KEPT_MS);
  const recent = keepRecent();
  let isLeader = false;
  const tell = (message: Message): void => broadcast(channel, message);

  const apply = (event: ChangeEvent): void => {
    recent.add(event);
    applyEvent(client, event);
  };
  // Changes may have been missed: refetch what is shown.
  const loadAgain = (): void => void client.invalidateQueries();
  const answer = (asking: string, since: number): void => {
    tell({ kind: 'connected', connected: isLive() });
    tell({ kind: 'recent', tab: asking, events: recent.listSince(since) });
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'event') apply(data.event);
    else if (data.kind === 'connected') setLive(data.connected);
    else if (data.kind === 'missed') loadAgain();
    else if (data.kind === 'who-leads' && isLeader) answer(data.tab, data.openedAt);
    else if (data.kind === 'recent' && data.tab === tab) for (const event of data.events) applyEvent(client, event);
  });
  tell({ kind: 'who-leads', tab, openedAt });

  const announce = (connected: boolean): void => {
    setLive(connected);
    if (!stopped.signal.aborted) tell({ kind: 'connected', connected });
  };
  const onEvent = (event: ChangeEvent): void => {
    apply(event);
    tell({ kind: 'event', event });
  };
  const onGap = (): void => {
    loadAgain();
    tell({ kind: 'missed' });
  };
  const lead = (): Promise<void> => {
    isLeader = true;
    return readForEver(stopped.signal, openedAt, { announce, onEvent, onGap });
  };
  // Without Web Locks (plain http from another machine) every tab listens for itself.
  const leading = 'locks' in navigator ? navigator.locks.request(name, { signal: stopped.signal }, lead) : lead();
  leading.catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });

  return () => {
    stopped.abort();
    stopLive();
    channel.close();
  };
}

/** The changes of the last minute, for tabs that are opened meanwhile. */
function keepRecent() {
  let kept: { at: number; event: ChangeEvent }[] = [];
  return {
    add: (event: ChangeEvent): void => {
      const now = Date.now();
      kept = kept.filter(({ at }) => at > now - KEPT_MS);
      if (event.progress === undefined && event.runs_before === undefined) kept.push({ at: now, event });
    },
    listSince: (time: number): ChangeEvent[] => kept.filter(({ at }) => at >= time).map(({ event }) => event),
  };
}

interface StreamListener {
  announce: (connected: boolean) => void;
  onEvent: (event: ChangeEvent) => void;
  /** The server may have missed changes itself. */
  onGap: () => void;
}

async function readForEver(signal: AbortSignal, openedAt: number, listener: StreamListener): Promise<void> {
  const { announce } = listener;
  let failures = 0;
  while (!signal.aborted) {
    const watch = watchSilence(signal);
    try {
      // Pages have asked for data before the stream is open, and while it was broken.
      const missed_ms = Math.min(Math.ceil(Date.now() - (heardUntil() ?? openedAt)), LONGEST_GAP_MS);
      const response = await call(eventsApi.listen, { query: { missed_ms } }, { signal: watch.signal });
      failures = 0;
      announce(true);
      await readStream(response, listener, watch.heard);
    } catch {
      // Whatever ended the stream, it is reopened below; meanwhile pages poll, and their requests show the reason.
      failures++;
    } finally {
      watch.end();
    }
    if (signal.aborted) return;
    announce(false);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
    await waitForTry(wait * (0.5 + Math.random() / 2));
  }
}

/** A signal that also ends the stream after a long silence, and when the computer leaves its network. */
function watchSilence(stopped: AbortSignal): { signal: AbortSignal; heard: () => void; end: () => void } {
  const silent = new AbortController();
  const giveUp = (): void => silent.abort();
  let timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
  window.addEventListener('offline', giveUp);
  return {
    signal: AbortSignal.any([stopped, silent.signal]),
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
    },
    end: () => {
      clearTimeout(timer);
      window.removeEventListener('offline', giveUp);
    },
  };
}

async function readStream(response: Response, { onEvent, onGap }: StreamListener, heard: () => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  const parser = new EventStreamParser();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard();
    for (const { event, data } of parser.push(value)) {
      if (event === 'gap') onGap();
      if (event !== 'message') continue;
      const parsed = changeEvent.safeParse(JSON.parse(data));
      // A newer server may send types that this page does not know.
      if (parsed.success) onEvent(parsed.data);
    }
  }
}
