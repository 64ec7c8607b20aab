import { afterEach, describe, expect, it, vi } from 'vitest';
import { installServer, json, noConnection, refusal } from '../../testing/browser.ts';
import { randomUuid, send } from './http.ts';
import { Problem } from './problem.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('send', () => {
  it('gives the answer of the server as it is', async () => {
    installServer(() => json({ ok: true }, 201));
    const response = await send('/api/x', { method: 'POST' });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ ok: true });
  });

  it('turns a refusal into a problem with its code and status', async () => {
    installServer(() => refusal(409, 'common/name-taken'));
    await expect(send('/api/x', {})).rejects.toMatchObject({ code: 'common/name-taken', status: 409 });
  });

  it('turns a page of a proxy into a problem too', async () => {
    installServer(() => new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' }));
    await expect(send('/api/x', {})).rejects.toMatchObject({ code: 'client/unreadable-answer', status: 502 });
  });

  it('says that the server could not be reached', async () => {
    installServer(() => noConnection());
    const failure = await send('/api/x', {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(failure).toMatchObject({ code: 'auth/network-request-failed', status: 0 });
  });

  it('passes on an abort, which is no problem to show', async () => {
    installServer(() => json({}));
    const stop = new AbortController();
    stop.abort(new Error('left the page'));
    await expect(send('/api/x', { signal: stop.signal })).rejects.toThrow('left the page');
  });
});

describe('randomUuid', () => {
  it('has the form of a version 4 UUID and never comes twice', () => {
    const ids = Array.from({ length: 200 }, () => randomUuid());
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
