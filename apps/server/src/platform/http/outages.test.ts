import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { s3Config } from '../../../tools/s3-stand-in/s3-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/testing.ts';
import { createS3Storage } from '../object-storage/s3.ts';
import type { FeatureRoutes } from './app.ts';
import { createTestApp, type TestApp } from './testing.ts';

let reached: () => void = () => {};

/** Nobody listens there. */
const away = createS3Storage(s3Config('127.0.0.1', 1));

const routes: FeatureRoutes = (app, { db }) => {
  app.get('/slow-query', { config: { guard: 'public' } }, async () => {
    reached();
    await sql`select pg_sleep(20)`.execute(db);
    return { ok: true };
  });
  app.post('/half', { config: { guard: 'public' } }, async () => {
    await db.transaction().execute(async (trx) => {
      await sql`insert into half_saved values (1)`.execute(trx);
      reached();
      await sql`select pg_sleep(20)`.execute(trx);
    });
    return { ok: true };
  });
  app.post('/clash', { config: { guard: 'public' } }, async () => {
    await sql`insert into half_saved values (7), (7)`.execute(db);
    return { ok: true };
  });
  app.get('/stored', { config: { guard: 'public' } }, async () => (await away.find('file')) ?? {});
  app.get('/count', { config: { guard: 'public' } }, async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from half_saved`.execute(db);
    return rows[0];
  });
  app.get('/slow', { config: { guard: 'public' } }, async () => {
    reached();
    await sleep(300);
    return { ok: true };
  });
};

let outside: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  outside = await createTestDatabase();
  app = await createTestApp({ features: [routes] });
  await sql`create table half_saved (n integer unique)`.execute(app.services.db);
});
afterAll(async () => {
  await app.close();
  await outside.close();
});

const databaseName = () => new URL(app.databaseUrl).pathname.slice(1);

async function breakConnections(): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${databaseName()} and application_name = 'heterosis'`.execute(
    outside.db,
  );
}

test('a database connection that breaks in the middle of a request gives a clear problem, saves nothing half, and the next request works', async () => {
  for (const [method, url] of [
    ['GET', '/api/slow-query'],
    ['POST', '/api/half'],
  ] as const) {
    const underway = new Promise<void>((resolve) => {
      reached = resolve;
    });
    // `inject` sends the request only when its promise is awaited.
    const response = app.app.inject({ method, url }).then((answer) => answer);
    await underway;
    await sleep(50);
    await breakConnections();
    const { statusCode, headers, body } = await response;
    expect(statusCode).toBe(503);
    expect(headers['retry-after']).toBe('5');
    expect(JSON.parse(body)).toMatchObject({
      code: 'server/unavailable',
      detail: expect.stringContaining('Try again'),
    });
  }
  expect((await app.app.inject('/api/count')).json()).toEqual({ n: 0 });
});

test('while the database takes no connections requests answer 503 and the server is not ready; afterwards it is', async () => {
  const name = sql.id(databaseName());
  await sql`alter database ${name} allow_connections false`.execute(outside.db);
  await breakConnections();
  expect((await app.app.inject('/api/count')).json()).toMatchObject({ status: 503, code: 'server/unavailable' });
  const notReady = await app.app.inject('/readyz');
  expect([notReady.statusCode, notReady.json().checks.database]).toEqual([503, 'failed']);
  expect((await app.app.inject('/healthz')).statusCode).toBe(200);

  await sql`alter database ${name} allow_connections true`.execute(outside.db);
  expect((await app.app.inject('/readyz')).statusCode).toBe(200);
  expect((await app.app.inject('/api/count')).statusCode).toBe(200);
});

test('while the storage cannot be reached requests that need it answer 503 and say so', async () => {
  const answer = await app.app.inject('/api/stored');
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.json()).toMatchObject({
    status: 503,
    code: 'server/unavailable',
    detail: 'The storage cannot be reached at the moment. Try again in a few seconds.',
  });
});

test('closing the server finishes the requests under way', async () => {
  const other = await createTestApp({ features: [routes] });
  try {
    const address = await other.app.listen({ port: 0, host: '127.0.0.1' });
    const underway = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const response = fetch(`${address}/api/slow`);
    await underway;
    const closed = other.app.close();
    expect((await response).status).toBe(200);
    await closed;
    await expect(fetch(`${address}/api/slow`)).rejects.toThrow();
  } finally {
    await other.close();
  }
});

test('what the database refuses because of another change is a conflict with what to do, and no fault of the server', async () => {
  const { statusCode, body } = await app.app.inject({ method: 'POST', url: '/api/clash' });
  expect([statusCode, JSON.parse(body).code]).toEqual([409, 'request/conflict']);
  expect(JSON.parse(body).detail).toContain('Nothing was saved: look again, and repeat it.');
});
