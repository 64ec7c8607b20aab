import { del, get, post, put } from '@heterosis/contracts/endpoint';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  type Answer,
  installBrowser,
  installServer,
  json,
  noConnection,
  refusal,
  type SentRequest,
} from '../../testing/browser.ts';
import type { StoredSession } from '../session/session.ts';

const thing = z.object({ id: z.string() });
const answer = { summary: 'A thing', answer: thing } as const;
const things = {
  read: get('/things/:id', 'public', { ...answer, query: z.object({ trait: z.string().optional() }) }),
  make: post('/things', 'public', { ...answer, body: z.object({ name: z.string().optional() }) }),
  change: put('/things/:id', 'public', answer),
  remove: del('/things/:id', 'public', { summary: 'Remove' }),
  cancel: post('/things/:id/cancel', 'public', { summary: 'Cancel' }),
  text: get('/text', 'public', { summary: 'Text', media: ['text/csv'] }),
};
const A = { id: 'a' };

const user = {
  uid: '01900000-0000-7000-8000-000000000001',
  displayName: 'Ada',
  photoURL: null,
  email: 'ada@example.org',
  emailVerified: true,
  phoneNumber: null,
  tenantId: null,
  providerData: [],
};

const stored = (token: string): StoredSession => ({
  access_token: token,
  refresh_token: 'refresh',
  expiresAt: Date.now() + 3_600_000,
  user,
});

/** The client of a browser in which nobody is signed in, or somebody with this token. */
async function openClient(token?: string) {
  const browser = installBrowser();
  if (token !== undefined) browser.localStorage.setItem('heterosis.session', JSON.stringify(stored(token)));
  vi.resetModules();
  const { session } = await import('../session/browser-session.ts');
  await session.start();
  const { call } = await import('./api-client.ts');
  return { call, session };
}

/** Answers each request in turn; the last answer serves all that follow. */
const inTurn = (...answers: (() => Answer)[]) => {
  let at = 0;
  return () => (answers[Math.min(at++, answers.length - 1)] ?? noConnection)();
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets the waits between tries pass. */
async function settle<Result>(promise: Promise<Result>): Promise<Result | unknown> {
  const caught = promise.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  return await caught;
}

describe('reading', () => {
  it('asks below /api, with the query, and without a token when nobody is signed in', async () => {
    const { call } = await openClient();
    const requests = installServer(() => json({ id: 'a', more: 1 }));
    expect(await call(things.read, { ...A, query: { trait: 'yield' } })).toEqual({ id: 'a' });
    expect(requests).toEqual([{ method: 'GET', url: '/api/things/a?trait=yield', headers: {}, body: undefined }]);
  });

  it('refuses an answer that does not fit the contract, and names the address', async () => {
    const { call } = await openClient();
    installServer(() => json({ id: 7 }));
    await expect(call(things.read, A)).rejects.toThrow('The answer of /things/a does not fit the contract');
  });

  it('is not repeated here: queries have their own retries', async () => {
    const { call } = await openClient();
    const requests = installServer(inTurn(noConnection));
    expect(await settle(call(things.read, A))).toMatchObject({ code: 'auth/network-request-failed' });
    expect(requests).toHaveLength(1);
  });

  it('gives files as they are', async () => {
    const { call } = await openClient();
    installServer(() => new Response('a,b'));
    expect(await (await call(things.text, {})).text()).toBe('a,b');
  });
});

describe('writing', () => {
  it('is repeated when the server was not reached or is overloaded, as the same request', async () => {
    const { call } = await openClient();
    const requests = installServer(
      inTurn(
        noConnection,
        () => refusal(503, 'server/busy'),
        () => json({ id: 'a' }, 201),
      ),
    );
    expect(await settle(call(things.make, { body: { name: 'a' } }))).toEqual({ id: 'a' });
    expect(requests.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => ({ name: 'a' })));
    // The server recognises the repetition by the key and does not create the thing twice.
    const [key, ...others] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([key, key]);
  });

  it('has another key for another request', async () => {
    const { call } = await openClient();
    const requests = installServer(() => json({ id: 'a' }));
    await call(things.make, { body: {} });
    await call(things.make, { body: {} });
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('gives up after three tries', async () => {
    const { call } = await openClient();
    const requests = installServer(inTurn(() => refusal(503, 'server/busy')));
    expect(await settle(call(things.change, A))).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(3);
  });

  it('is not repeated when the server says no, or that it is asked too often', async () => {
    const { call } = await openClient();
    for (const status of [400, 409, 429, 500]) {
      const requests = installServer(inTurn(() => refusal(status, 'x/y')));
      expect(await settle(call(things.remove, A))).toMatchObject({ status });
      expect(requests, String(status)).toHaveLength(1);
    }
  });
});

describe('the token', () => {
  const authorization = (request: SentRequest | undefined) => request?.headers.authorization;

  it('goes with every request of somebody who is signed in', async () => {
    const { call, session } = await openClient('first');
    expect(session.getState().status).toBe('signed-in');
    const requests = installServer(() => json({ id: 'a' }));
    await call(things.read, A);
    await call(things.cancel, A);
    expect(requests.map(authorization)).toEqual(['Bearer first', 'Bearer first']);
    expect(requests[1]?.body).toEqual({});
  });

  it('is renewed when the server refuses it, and the request is sent again with the new one', async () => {
    const { call } = await openClient('first');
    const requests = installServer(({ url, headers }) => {
      if (url === '/api/auth/token')
        return json({ access_token: 'second', refresh_token: 'refresh', expires_in: 3600, user });
      return headers.authorization === 'Bearer first' ? refusal(401, 'auth/invalid-token') : json({ id: 'a' });
    });
    expect(await call(things.read, A)).toEqual({ id: 'a' });
    expect(requests.map(({ url }) => url)).toEqual(['/api/things/a', '/api/auth/token', '/api/things/a']);
    expect(requests[1]?.body).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'refresh' });
    expect(authorization(requests[2])).toBe('Bearer second');
  });

  it('is not renewed for a refusal that has another reason', async () => {
    const { call } = await openClient('first');
    const requests = installServer(() => refusal(403, 'auth/forbidden'));
    await expect(call(things.read, A)).rejects.toMatchObject({ code: 'auth/forbidden' });
    expect(requests).toHaveLength(1);
  });

  it('goes on when the person has confirmed who it is, once for all calls that waited, and not otherwise', async () => {
    const { call } = await openClient('first');
    let isProved = false;
    installServer(() => (isProved ? json({ id: 'a' }) : refusal(403, 'auth/requires-recent-login')));
    const { answerProof } = await import('../session/demands.ts');
    const refused = expect(call(things.make, { body: {} })).rejects.toMatchObject({
      code: 'auth/requires-recent-login',
    });
    await vi.advanceTimersByTimeAsync(10);
    answerProof(false);
    await refused;
    const waiting = [call(things.make, { body: {} }), call(things.make, { body: {} })];
    await vi.advanceTimersByTimeAsync(10);
    isProved = true;
    answerProof(true);
    expect(await Promise.all(waiting)).toEqual([{ id: 'a' }, { id: 'a' }]);
  });

  it('is gone, and the session over, when the server does not renew it', async () => {
    const { call, session } = await openClient('first');
    installServer(({ url }) =>
      refusal(401, url === '/api/auth/token' ? 'auth/user-token-expired' : 'auth/invalid-token'),
    );
    await expect(call(things.read, A)).rejects.toMatchObject({ status: 401 });
    expect(session.getState()).toEqual({ status: 'signed-out', because: 'expired' });
  });
});
