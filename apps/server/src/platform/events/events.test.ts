import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AccessControl } from '../http/access.ts';
import { createTestApp, noAccess, type TestApp } from '../http/testing.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import { eventRoutes } from './events.routes.ts';
import { type PublishedEvent, publishEvent } from './events.ts';

const PROJECT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const ORGANIZATION = '01890000-0000-7000-8000-000000000003';
const SESSION = '01890000-0000-7000-8000-000000000005';
const MODEL = '01890000-0000-7000-8000-000000000004';

let joined = [PROJECT];
let isSignedIn = true;
const access: AccessControl = {
  ...noAccess,
  authenticate: async () => ({
    userId: 'ada',
    email: 'ada@example.org',
    sessionId: SESSION,
    scopes: null,
    projectIds: null,
    isFresh: false,
    lacksSecondFactor: false,
  }),
  listVisibleScopes: async () => ({ organizationIds: [ORGANIZATION], projectIds: joined }),
  isStillSignedIn: async () => isSignedIn,
};

let hub: EventHub;
let listening: Promise<void>;
let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await createTestApp({
    access: () => access,
    features: [(scope, services) => eventRoutes({ hub, access, heartbeatMs: 100, maxStreams: 3 })(scope, services)],
    prepare: ({ databaseUrl }) => {
      hub = createEventHub(databaseUrl, pino({ level: 'silent' }));
      listening = new Promise((resolve) => {
        const stop = hub.onGap(() => {
          stop();
          resolve();
        });
      });
    },
  });
  address = await app.app.listen({ port: 0, host: '127.0.0.1' });
  // Events published earlier are not delivered.
  await listening;
});
afterAll(async () => {
  await hub.close();
  await app.close();
});

/** Reads a stream of events until `count` messages have come. */
async function listen(count: number, publish: () => Promise<void>, query = ''): Promise<string[]> {
  const controller = new AbortController();
  const response = await fetch(`${address}/api/events${query}`, { signal: controller.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  await publish();
  const messages: string[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    messages.push(...blocks.filter((block) => !block.startsWith('retry:') && !block.startsWith(':')));
    if (messages.length >= count) break;
  }
  controller.abort();
  return messages;
}

const model = (id: string, project_id: string | null, organization_id: string | null = null) =>
  ({ type: 'model', id, project_id, organization_id }) as const;

test('a change is told to those who see its project, in order, and what was rolled back is not told', async () => {
  const { db } = app.services;
  const messages = await listen(3, async () => {
    // From a project of the same organization that the reader has not joined.
    await publishEvent(db, model(MODEL, OTHER, ORGANIZATION));
    await db
      .transaction()
      .execute(async (trx) => {
        await publishEvent(trx, model(OTHER, PROJECT));
        throw new Error('rolled back');
      })
      .catch(() => {});
    await publishEvent(db, { ...model(MODEL, PROJECT), progress: { EarHT: { stage: 'fit', done: 1, total: 2 } } });
    await publishEvent(db, { ...model(MODEL, OTHER), user_ids: ['grace'] });
    await publishEvent(db, { ...model(MODEL, OTHER), user_ids: ['ada'] });
    await publishEvent(db, model(MODEL, null, ORGANIZATION));
  });
  expect(messages.map((message) => JSON.parse(message.replace('data: ', '')))).toEqual([
    { ...model(MODEL, PROJECT), progress: { EarHT: { stage: 'fit', done: 1, total: 2 } } },
    model(MODEL, OTHER),
    model(MODEL, null, ORGANIZATION),
  ]);
});

test('who joins a project hears of it from then on', async () => {
  const { db } = app.services;
  const messages = await listen(2, async () => {
    joined = [PROJECT, OTHER];
    await publishEvent(db, { type: 'project', id: OTHER, project_id: OTHER, organization_id: ORGANIZATION });
    await publishEvent(db, model(MODEL, OTHER));
  });
  expect(messages).toHaveLength(2);
});

/** Waits until this process has heard of a change. */
async function heard(publish: () => Promise<void>): Promise<void> {
  const told = new Promise<void>((resolve) => {
    const stop = hub.subscribe(() => {
      stop();
      resolve();
    });
  });
  await publish();
  await told;
}

test('a stream begins with the changes that its reader has missed, without progress, and nothing comes twice', async () => {
  const { db } = app.services;
  const tell = (event: PublishedEvent) => heard(() => publishEvent(db, event));
  await tell(model(MODEL, PROJECT));
  await sleep(2_000);
  const since = performance.now();
  await tell(model(OTHER, PROJECT));
  await tell({ ...model(OTHER, PROJECT), user_ids: ['grace'] });
  await tell({ ...model(OTHER, PROJECT), progress: { EarHT: { stage: 'fit', done: 1, total: 2 } } });
  await tell({ ...model(OTHER, PROJECT), runs_before: 2 });
  await tell(model(MODEL, null, ORGANIZATION));
  const last = model(SESSION, PROJECT);
  // The server counts from when the request arrives.
  const missed = Math.floor(performance.now() - since) + 1_900;
  const messages = await listen(3, () => publishEvent(db, last), `?missed_ms=${missed}`);
  expect(messages.map((message) => JSON.parse(message.replace('data: ', '')))).toEqual([
    model(OTHER, PROJECT),
    model(MODEL, null, ORGANIZATION),
    last,
  ]);
});

test('who asks for more than this process knows is told that there was a gap', async () => {
  const messages = await listen(2, () => publishEvent(app.services.db, model(MODEL, PROJECT)), '?missed_ms=3600000');
  expect(messages[0]).toBe('event: gap\ndata: {}');
  expect(messages[1]).toContain(MODEL);
});

test('a project that is joined while the stream opens is heard of', async () => {
  const { db } = app.services;
  joined = [PROJECT];
  let tellJoined = (): void => {};
  const hasJoined = new Promise<void>((resolve) => {
    tellJoined = resolve;
  });
  const listVisibleScopes = vi.spyOn(access, 'listVisibleScopes').mockImplementationOnce(async () => {
    joined = [PROJECT, OTHER];
    await heard(() => publishEvent(db, { type: 'project', id: OTHER, project_id: OTHER, organization_id: null }));
    tellJoined();
    return { organizationIds: [ORGANIZATION], projectIds: [PROJECT] };
  });
  try {
    const messages = await listen(3, async () => {
      await publishEvent(db, model(SESSION, PROJECT));
      await hasJoined;
      await publishEvent(db, model(MODEL, OTHER));
    });
    expect(messages.at(-1)).toContain(MODEL);
  } finally {
    listVisibleScopes.mockRestore();
  }
});

test('after the connection to the database was lost the stream goes on and says that there was a gap', async () => {
  const { db } = app.services;
  const messages = await listen(2, async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'heterosis-events' and datname = current_database()`.execute(
      db,
    );
    const again = hub.onGap(() => void publishEvent(db, model(MODEL, PROJECT)).then(again));
  });
  expect(messages[0]).toBe('event: gap\ndata: {}');
  expect(messages[1]).toContain(MODEL);
});

test('the stream ends at the heartbeat after the session has, and not before', async () => {
  const text = fetch(`${address}/api/events`).then((response) => response.text());
  expect(await Promise.race([text, sleep(500, 'open')])).toBe('open');
  isSignedIn = false;
  try {
    expect(await text).toContain(': still here');
  } finally {
    isSignedIn = true;
  }
});

test('a person may have some streams open, and another one as soon as one of them is closed', async () => {
  const streams = Array.from({ length: 3 }, () => new AbortController());
  const open = (signal?: AbortSignal) => fetch(`${address}/api/events`, signal === undefined ? {} : { signal });
  for (const { signal } of streams) expect((await open(signal)).status).toBe(200);
  const refused = await open();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
  expect(await refused.json()).toMatchObject({ code: 'events/too-many-streams' });

  streams[0]?.abort();
  const next = new AbortController();
  let status = 0;
  for (let tries = 0; status !== 200 && tries < 200; tries++) {
    status = (await open(next.signal)).status;
    if (status !== 200) await sleep(20);
  }
  expect(status).toBe(200);
  for (const stream of [...streams, next]) stream.abort();
});
