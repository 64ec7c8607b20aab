import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type AccessControl, type Principal, requirePrincipal } from './access.ts';
import type { FeatureRoutes } from './app.ts';
import { COSTLY } from './costly.ts';
import { GUEST_CALLS_PER_MINUTE, GUEST_TOKEN_PREFIX } from './guests.ts';
import { sweepIdempotencyKeys } from './hooks/keyed-request.ts';
import { notFound, Problem } from './problem.ts';
import { createTestApp, requireShortTurnsOf, type TestApp } from './testing.ts';

const PROJECT = '01890000-0000-7000-8000-000000000001';
const ORGANIZATION = '01890000-0000-7000-8000-000000000002';
const USER = '01890000-0000-7000-8000-000000000003';

let calls = 0;

const routes: FeatureRoutes = (app) => {
  app.get(
    '/open',
    { config: { guard: 'public' }, schema: { response: { 200: z.object({ ok: z.boolean() }) } } },
    async () => ({ ok: true }),
  );
  app.get(
    '/list',
    {
      config: { guard: 'public' },
      schema: { querystring: z.object({ limit: z.coerce.number().max(10).default(5), search: z.string().optional() }) },
    },
    async (request) => request.query,
  );
  app.get('/me', { config: { guard: 'signed-in' } }, async (request) => ({ id: requirePrincipal(request).userId }));
  app.post(
    '/things',
    {
      config: { guard: 'signed-in' },
      schema: { body: z.object({ name: z.string().min(1), fail: z.boolean().optional() }) },
    },
    async (request, reply) => {
      calls++;
      if (request.body.fail) throw new Error('a secret of the inside');
      return reply.status(201).send({ number: calls, name: request.body.name });
    },
  );
  app.post('/secrets', { config: { guard: 'signed-in', hasSecretAnswer: true } }, async (_request, reply) =>
    reply.status(201).send({ token: 'shown once' }),
  );
  app.post('/find', { config: { guard: 'signed-in', readOnly: true } }, async () => ({ found: true }));
  app.get(
    '/projects/:project_id/things/:id',
    {
      config: { guard: { project: 'MANAGER' } },
      schema: { params: z.object({ project_id: z.string(), id: z.uuid() }) },
    },
    async (request) => request.projectAccess,
  );
  app.get('/organizations/:organization_id/things', { config: { guard: { organization: 'GUEST' } } }, async () => ({
    ok: true,
  }));
  app.get('/problem', { config: { guard: 'public' } }, async () => {
    throw new Problem('files/in-use', 'Two models use this file.', { details: { dependants: ['a', 'b'] } });
  });
  app.get('/missing', { config: { guard: 'public' } }, async () => {
    throw notFound('This model');
  });
  app.get(
    '/wrong-answer',
    { config: { guard: 'public' }, schema: { response: { 200: z.object({ n: z.number() }) } } },
    async () => {
      return { n: 'secret' } as unknown as { n: number };
    },
  );
};

/** Tokens are `role` or `role:scope`; a person with role NONE has access to nothing. */
const access = (): AccessControl => ({
  async authenticate(request) {
    const token = request.headers.authorization?.replace('Bearer ', '');
    if (token === undefined) return undefined;
    if (token === 'expired') throw new Problem('auth/user-token-expired', 'Sign in again.');
    const scopes = token.includes(':') ? [token.split(':')[1] ?? ''] : null;
    return {
      userId: USER,
      email: token.split(':')[0] ?? '',
      sessionId: null,
      scopes,
      projectIds: null,
      isFresh: false,
      lacksSecondFactor: false,
    } satisfies Principal;
  },
  async findProjectAccess({ email }, projectId) {
    if (projectId !== PROJECT || email === 'NONE') return undefined;
    const role = email as 'MEMBER';
    return {
      projectId,
      organizationId: ORGANIZATION,
      role,
      projectRole: role,
      organizationRole: null,
      readOnly: false,
      billingState: 'active',
    };
  },
  async findOrganizationAccess({ email }, organizationId) {
    if (organizationId !== ORGANIZATION || email === 'NONE') return undefined;
    return {
      organizationId,
      role: email as 'MEMBER',
      mayCreateProjects: false,
      mayInviteManagers: false,
      billingState: 'active',
    };
  },
  listVisibleScopes: async () => ({ organizationIds: [], projectIds: [] }),
  recordActivity: async () => {},
  isOperator: async () => false,
  isStillSignedIn: async () => true,
});

let test_: TestApp;
beforeAll(async () => {
  test_ = await createTestApp({ features: [routes], access });
  await test_.services.db.insertInto('users').values({ id: USER, email: 'user@example.org' }).execute();
});
afterAll(() => test_.close());

const get = (url: string, role?: string) =>
  test_.app.inject({ url, headers: role === undefined ? {} : { authorization: `Bearer ${role}` } });
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  test_.app.inject({ method: 'POST', url, payload, headers: { authorization: 'Bearer MEMBER', ...headers } });

test('a route under /api that does not say who may call it stops the start', async () => {
  const undeclared: FeatureRoutes = (app) => {
    app.get('/undeclared', async () => 'x');
  };
  await expect(createTestApp({ features: [undeclared] })).rejects.toThrow(
    /GET \/api\/undeclared does not declare its guard/,
  );
});

test('a project guard needs a project in the address', async () => {
  const nameless: FeatureRoutes = (app) => {
    app.get('/things/:id', { config: { guard: { project: 'MEMBER' } } }, async () => 'x');
  };
  await expect(createTestApp({ features: [nameless] })).rejects.toThrow(/is guarded by :project_id and has none/);
});

test('a failure is problem+json with code, sentence and request id', async () => {
  const response = await get('/api/problem?', undefined);
  expect(response.statusCode).toBe(409);
  expect(response.headers['content-type']).toContain('application/problem+json');
  expect(response.json()).toEqual({
    type: 'urn:heterosis:problem:files/in-use',
    title: 'The file is in use',
    status: 409,
    detail: 'Two models use this file.',
    instance: '/api/problem',
    code: 'files/in-use',
    request_id: response.headers['x-request-id'],
    details: { dependants: ['a', 'b'] },
  });
});

test('an unexpected error and an answer that breaks its contract show nothing of the inside', async () => {
  for (const response of [await post('/api/things', { name: 'x', fail: true }), await get('/api/wrong-answer')]) {
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'server/internal' });
    expect(response.body).not.toMatch(/secret|stack|zod/i);
  }
});

test('guards answer 401 without a token, 404 to outsiders and for malformed ids, 403 to low roles', async () => {
  const thing = `/api/projects/${PROJECT}/things/${USER}`;
  expect((await get(thing)).json()).toMatchObject({ status: 401, code: 'auth/missing-token' });
  expect((await get(thing, 'expired')).json()).toMatchObject({ status: 401, code: 'auth/user-token-expired' });
  const unknown = await get(thing.replace(PROJECT, ORGANIZATION), 'OWNER');
  const outsider = await get(thing, 'NONE');
  const malformed = await get(thing.replace(PROJECT, 'nonsense'), 'OWNER');
  for (const response of [unknown, outsider, malformed])
    expect(response.json()).toMatchObject({ status: 404, detail: unknown.json().detail });
  expect((await get(thing, 'MEMBER')).json()).toMatchObject({
    status: 403,
    detail: expect.stringContaining('Ask a manager'),
  });
  expect((await get(thing, 'OWNER')).json()).toMatchObject({ projectId: PROJECT, role: 'OWNER' });
  expect((await get(`/api/organizations/${ORGANIZATION}/things`, 'GUEST')).statusCode).toBe(200);
});

test('another malformed id in the path answers 404 as well', async () => {
  expect((await get(`/api/projects/${PROJECT}/things/7`, 'OWNER')).statusCode).toBe(404);
});

test('a read-only access token may read and not write, except where a POST only reads', async () => {
  expect((await get('/api/me', 'MEMBER:read')).statusCode).toBe(200);
  const headers = { authorization: 'Bearer MEMBER:read' };
  expect((await post('/api/things', { name: 'x' }, headers)).json()).toMatchObject({
    status: 403,
    code: 'auth/insufficient-scope',
  });
  expect((await post('/api/find', {}, headers)).statusCode).toBe(200);
});

test('unknown query keys are refused, with and without a declared query', async () => {
  expect((await get('/api/list?limit=3')).json()).toEqual({ limit: 3 });
  for (const url of ['/api/list?limt=3', '/api/open?limt=3'])
    expect((await get(url)).json()).toMatchObject({
      status: 400,
      code: 'request/invalid',
      invalid_params: [{ name: 'query.limt', reason: 'There is no such parameter' }],
    });
});

test('a bad body names the fields; a body that is no JSON and one that is too large are told so', async () => {
  expect((await post('/api/things', { name: '' })).json()).toMatchObject({
    status: 400,
    invalid_params: [{ name: 'body.name' }],
  });
  const headers = { authorization: 'Bearer MEMBER', 'content-type': 'application/json' };
  const broken = await test_.app.inject({ method: 'POST', url: '/api/things', headers, payload: '{"name":' });
  expect(broken.json()).toMatchObject({ status: 400, code: 'request/invalid' });
  const huge = await test_.app.inject({
    method: 'POST',
    url: '/api/things',
    headers,
    payload: `{"name":"${'x'.repeat(3_000_000)}"}`,
  });
  expect(huge.json()).toMatchObject({ status: 413, code: 'request/too-large' });
});

test('text that the database cannot hold is refused wherever it stands, and depth is no way to a failure', async () => {
  for (const payload of ['{"name":"a\\u0000b"}', '{"name":"\\ud800"}', '{"name":"x","more":[{"deep":"\\u0000"}]}'])
    expect(
      (
        await test_.app.inject({
          method: 'POST',
          url: '/api/things',
          headers: { authorization: 'Bearer MEMBER', 'content-type': 'application/json' },
          payload,
        })
      ).json(),
    ).toMatchObject({ status: 400, code: 'request/invalid' });
  expect((await get('/api/list?search=a%00b')).json()).toMatchObject({
    status: 400,
    invalid_params: [{ name: 'query.search' }],
  });
  // Brackets within a text are no levels.
  const brackets = await post('/api/things', { name: `\\"${'['.repeat(500)}` });
  expect(brackets.statusCode).toBe(201);
  for (const headers of [{}, { 'idempotency-key': 'deep' }]) {
    const deep = await test_.app.inject({
      method: 'POST',
      url: '/api/things',
      headers: { authorization: 'Bearer MEMBER', 'content-type': 'application/json', ...headers },
      payload: `{"name":"x","more":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    });
    expect([deep.statusCode, deep.json().detail]).toEqual([400, expect.stringContaining('more than 100 levels')]);
  }
});

test('the same request with the same Idempotency-Key is carried out once', async () => {
  const headers = { 'idempotency-key': 'key-1' };
  const first = await post('/api/things', { name: 'once' }, headers);
  const again = await post('/api/things', { name: 'once' }, headers);
  expect(first.statusCode).toBe(201);
  expect([again.statusCode, again.body]).toEqual([201, first.body]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect((await post('/api/things', { name: 'other' }, headers)).json()).toMatchObject({
    status: 422,
    code: 'request/idempotency-mismatch',
  });
});

test('the answer to a request is kept for a day, and one that was lost with its process makes room after a minute', async () => {
  const { db } = test_.services;
  const headers = { 'idempotency-key': 'key-8' };
  const isReplayed = async () =>
    (await post('/api/things', { name: 'slow' }, headers)).headers['idempotent-replayed'] === 'true';
  const age = (interval: string) =>
    sql`update idempotency_keys set created_at = now() - ${interval}::interval where key = 'key-8'`.execute(db);
  expect(await isReplayed()).toBe(false);
  await age('23 hours');
  expect(await isReplayed()).toBe(true);
  await age('25 hours');
  expect(await isReplayed()).toBe(false);

  await sql`update idempotency_keys set status = null, claim = gen_random_uuid() where key = 'key-8'`.execute(db);
  await age('50 seconds');
  expect((await post('/api/things', { name: 'slow' }, headers)).statusCode).toBe(409);
  await age('70 seconds');
  expect((await post('/api/things', { name: 'slow' }, headers)).statusCode).toBe(201);
});

test('two such requests at the same time are carried out once', async () => {
  const before = calls;
  const headers = { 'idempotency-key': 'key-2' };
  const responses = await Promise.all([1, 2, 3].map(() => post('/api/things', { name: 'racing' }, headers)));
  expect(calls - before).toBe(1);
  for (const response of responses) expect([201, 409]).toContain(response.statusCode);
});

test('a failure of ours does not use up the Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'key-3' };
  const body = { name: 'x', fail: true };
  const before = calls;
  expect((await post('/api/things', body, headers)).statusCode).toBe(500);
  expect((await post('/api/things', body, headers)).statusCode).toBe(500);
  expect(calls - before).toBe(2);
});

test('a request that computes so long that all others wait is noticed by its processor time, and fails the test', async () => {
  const watched = await createTestApp({
    features: [
      (app) => {
        app.get('/computing/:ms', { config: { guard: 'public' } }, async (request) => {
          const { ms } = request.params as { ms: string };
          const spent = () => {
            const { user, system } = process.threadCpuUsage();
            return (user + system) / 1000;
          };
          for (const end = spent() + Number(ms); spent() < end; );
          return {};
        });
      },
    ],
  });
  // Many that compute for less at a stretch: between two of them the watch looks, also where the machine is busy.
  for (let k = 0; k < 15; k++) {
    await watched.app.inject('/api/computing/20');
    await sleep(60);
  }
  await requireShortTurnsOf(watched.app);
  await watched.app.inject('/api/computing/500');
  await expect(watched.close()).rejects.toThrow(/at a stretch:\n {2}1× GET \/api\/computing\/:ms, 0\.[45]\d s/);
});

test('an answer that shows a secret is not kept for a repeated request', async () => {
  const first = await post('/api/secrets', {}, { 'idempotency-key': 'key-4' });
  expect(first.statusCode).toBe(201);
  const { db } = test_.services;
  const kept = await db.selectFrom('idempotency_keys').select(['status', 'body']).where('key', '=', 'key-4').execute();
  expect(kept).toEqual([{ status: 201, body: null }]);
  const again = await post('/api/secrets', {}, { 'idempotency-key': 'key-4' });
  expect(again.json()).toMatchObject({ status: 409, code: 'request/conflict' });
  expect(again.json().detail).toContain('was carried out');
});

test('nothing is kept of a request that only reads', async () => {
  const headers = { 'idempotency-key': 'key-7' };
  expect((await post('/api/find', {}, headers)).statusCode).toBe(200);
  expect((await post('/api/find', {}, headers)).headers['idempotent-replayed']).toBeUndefined();
  const { db } = test_.services;
  expect(await db.selectFrom('idempotency_keys').select('body').where('key', '=', 'key-7').execute()).toEqual([]);
});

test('answers to repeated requests are swept after a day', async () => {
  const { db } = test_.services;
  await post('/api/things', { name: 'kept' }, { 'idempotency-key': 'key-5' });
  await post('/api/things', { name: 'old' }, { 'idempotency-key': 'key-6' });
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'key-6'`.execute(db);
  await sweepIdempotencyKeys(db);
  const left = await db.selectFrom('idempotency_keys').select('key').where('key', 'in', ['key-5', 'key-6']).execute();
  expect(left).toEqual([{ key: 'key-5' }]);
});

test('answers are not to be kept by browsers and proxies', async () => {
  expect((await get('/api/open')).headers['cache-control']).toBe('no-store');
});

test('an address written in another way is held to the same rules', async () => {
  const { headers, statusCode } = await get('/%61pi/open');
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
  expect((await get('/%61pi/list?limt=3')).statusCode).toBe(400);
  expect((await get('/%61pi/open?limt=3')).statusCode).toBe(400);
  expect((await get('/%61pi/me')).statusCode).toBe(401);
});

test('answers carry security headers without inline scripts', async () => {
  const { headers } = await get('/api/open');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('a misspelt field of a body is refused, and 401 says how to sign in', async () => {
  const answer = await post('/api/things', { name: 'a', fial: true });
  expect([answer.statusCode, answer.json().invalid_params]).toEqual([
    400,
    [{ name: 'body.fial', reason: 'There is no such field' }],
  ]);
  expect((await get('/api/me')).headers['www-authenticate']).toBe('Bearer');
});

test('the OpenAPI document names every route with its security, and the page needs no script', async () => {
  // As a server does before it listens: making the document takes long.
  await test_.app.prepareApiDocument();
  const document = (await get('/api/openapi.json')).json();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toContain('/api/projects/{project_id}/things/{id}');
  expect(document.paths['/api/me'].get.security).toEqual([{ bearer: [] }]);
  expect(document.paths['/api/open'].get.security).toEqual([]);
  const page = await get('/api/docs');
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain('/api/projects/{project_id}/things/{id}');
  expect(page.body).not.toContain('<script');
});

test('health, readiness and metrics answer outside /api', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await get('/readyz')).json()).toEqual({
    status: 'ok',
    checks: { database: 'ok', storage: 'ok', queue: 'ok' },
  });
  await get('/api/open');
  expect((await get('/metrics')).body).toMatch(/heterosis_http_request_duration_seconds_count\{.*route="\/api\/open"/);
});

test('what does not exist is not found, whatever is asked of it', async () => {
  const answer = await test_.app.inject('/api/nowhere?at=all');
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'request/not-found']);
});

test('a run of no kind is answered with the kinds that there are', async () => {
  const answer = await test_.app.inject({ method: 'POST', url: '/api/projects/some/gwases', payload: {} });
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'request/not-found']);
  expect(answer.json().detail).toContain(Object.values(RUN_KINDS)[0]?.path);
  expect((await test_.app.inject('/api/projects/some/gwases')).json().detail).not.toContain('kinds');
});

test('the guards of all routes can be listed', () => {
  expect(test_.app.guardedRoutes).toContainEqual({
    method: 'GET',
    url: '/api/projects/:project_id/things/:id',
    guard: { project: 'MANAGER' },
    isReading: true,
    needsProof: false,
    accessTokens: 'own-projects',
  });
});

test('one address may call a costly route so many times a minute, and is then told to wait', async () => {
  const limited = await createTestApp({
    features: [
      (app) => {
        app.get('/archive', { config: { guard: 'public', ...COSTLY } }, async () => 'all of it');
        app.get('/page', { config: { guard: 'public' } }, async () => 'a page');
      },
    ],
    changes: { rateLimit: 1000 },
  });
  try {
    const from = (url: string, remoteAddress: string) => limited.app.inject({ url, remoteAddress });
    for (let call = 0; call < COSTLY.rateLimit.max; call++)
      expect((await from('/api/archive', '192.0.2.1')).statusCode).toBe(200);
    expect((await from('/api/archive', '192.0.2.1')).json()).toMatchObject({ status: 429, code: 'request/too-many' });
    expect((await from('/api/archive', '192.0.2.2')).statusCode).toBe(200);
    const left = async (url: string) => Number((await from(url, '192.0.2.1')).headers['x-ratelimit-remaining']);
    expect(await left('/%61pi/page')).toBe((await left('/api/page')) + 1);
  } finally {
    await limited.close();
  }
});

test('guests of one network share their calls of a minute, and use up nothing of those who work there', async () => {
  const limited = await createTestApp({
    features: [(app) => void app.get('/page', { config: { guard: 'public' } }, async () => 'a page')],
    changes: { rateLimit: 3000 },
  });
  try {
    const call = (token: string, remoteAddress: string) =>
      limited.app.inject({ url: '/api/page', remoteAddress, headers: { authorization: `Bearer ${token}` } });
    const asGuest = (remoteAddress: string) => call(`${GUEST_TOKEN_PREFIX}any`, remoteAddress);
    for (let count = 0; count < GUEST_CALLS_PER_MINUTE; count++)
      expect((await asGuest('192.0.2.1')).statusCode).toBe(200);
    expect((await asGuest('192.0.2.1')).json()).toMatchObject({ status: 429, code: 'request/too-many' });
    // Another token of a guest is of no avail, and another network is not concerned.
    expect((await call(`${GUEST_TOKEN_PREFIX}other`, '192.0.2.1')).statusCode).toBe(429);
    expect((await asGuest('192.0.2.2')).statusCode).toBe(200);
    const working = await call('MEMBER', '192.0.2.1');
    expect([working.statusCode, working.headers['x-ratelimit-remaining']]).toEqual([200, '2999']);
  } finally {
    await limited.close();
  }
});

/** Sends bytes as they are; the head and the body of the answer. */
async function sendRaw(text: string | Buffer): Promise<{ head: string; body: string }> {
  const { port } = test_.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n', 2);
  return { head, body };
}

describe('no answer is anything but problem+json', () => {
  beforeAll(async () => void (await test_.app.listen({ port: 0, host: '127.0.0.1' })));
  const post_ = (body: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `POST /api/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer MEMBER\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]);
  test.each<[string, number, string | Buffer]>([
    ['two Host headers', 400, 'GET /api/open HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n'],
    ['no Host header', 400, 'GET /api/open HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no HTTP', 400, 'nonsense\r\n\r\n'],
    ['lines that end in LF', 400, 'GET /api/open HTTP/1.1\nHost: a\nConnection: close\n\n'],
    ['two lengths', 400, 'POST /api/things HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    ['an address with a broken escape', 400, 'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'a long part of an address',
      404,
      `GET /api/projects/${'x'.repeat(400)}/things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    ],
    ['headers that are too long', 431, `GET /api/open HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['an unknown method', 404, 'PROPFIND /api/open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a body that is broken UTF-8', 400, post_(Buffer.from('{"name":"M\xfcller"}', 'latin1'))],
    ['a body with __proto__', 400, post_(Buffer.from('{"name":"a","__proto__":{"role":"OWNER"}}'))],
    ['a body that is no JSON', 400, post_(Buffer.from('{"name":'))],
    [
      'a body of another type',
      400,
      'POST /api/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer MEMBER\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>',
    ],
  ])('%s', async (_, status, request) => {
    const { head, body } = await sendRaw(request);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(JSON.parse(body)).toMatchObject({
      status,
      code: expect.stringContaining('request/'),
      request_id: expect.any(String),
    });
  });

  test('an expectation that the server does not know is passed over', async () => {
    const { head } = await sendRaw('GET /api/open HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 /);
  });

  test('and what is wrong with a body is said', async () => {
    const send = async (body: Buffer) => JSON.parse((await sendRaw(post_(body))).body).detail;
    expect(await send(Buffer.from('{"name":"M\xfcller"}', 'latin1'))).toBe('The body is not valid UTF-8.');
    expect(await send(Buffer.from('{"name":"a","__proto__":{}}'))).toContain('"__proto__"');
    expect(await send(Buffer.from('{"name":'))).toContain('not valid JSON');
  });
});
