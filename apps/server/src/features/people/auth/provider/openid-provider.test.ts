import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, type Product, type Project, startProduct } from '../../../../testing/product.ts';

const CODE_REDIRECT = 'fieldbook://app/auth';
const IMPLICIT_REDIRECT = 'https://phenoapps.org/field-book';

let product: Product;
let ann: Person;
let project: Project;
let url: string;
beforeAll(async () => {
  product = await startProduct({
    withWorker: false,
    // Without a PUBLIC_URL the issuer is the address by which one asks.
    changes: { host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000' },
  });
  url = await product.app.listen({ port: 0, host: '127.0.0.1' });
  ann = await product.person('ann');
  project = await product.project(ann);
});
afterAll(() => product.close());

/** The browser of a person: it keeps cookies for the paths that they are for. */
class Browser {
  /** By name and path. */
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();

  async visit(address: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(address, url);
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(init.headers as Record<string, string>), cookie };
    const answer = await fetch(new URL(address, url), { ...init, redirect: 'manual', headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? '/';
      expect(line).toMatch(/httponly/i);
      this.#cookies.set(`${name} ${path}`, { name, value, path });
    }
    return answer;
  }

  /** Opens the address of an app; returns the number of the request in our pages. */
  async begin(address: string): Promise<string> {
    const answer = await this.visit(address);
    const location = answer.headers.get('location') ?? '';
    expect([answer.status, location], await answer.text()).toEqual([303, expect.stringMatching(/^\/connect\/[\w-]+$/)]);
    return location.slice('/connect/'.length);
  }

  async call(
    person: Person,
    method: 'GET' | 'POST' | 'DELETE',
    uid: string,
    body?: object,
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  ): Promise<{ status: number; body: any }> {
    const answer = await this.visit(`/api/auth/connections/${uid}`, {
      method,
      headers: {
        authorization: `Bearer ${person.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** Answers a request; returns where the browser ends. */
  async answer(person: Person, method: 'POST' | 'DELETE', uid: string, body?: object): Promise<URL> {
    const answered = await this.call(person, method, uid, body);
    expect(answered.status, JSON.stringify(answered.body)).toBe(200);
    expect(answered.body.redirect_to.startsWith(`${url}/brapi/oauth/authorize/`)).toBe(true);
    const back = await this.visit(answered.body.redirect_to);
    expect(back.status, await back.text()).toBe(303);
    return new URL(back.headers.get('location') ?? '');
  }
}

const discover = (app: string): Promise<client.Configuration> =>
  client.discovery(new URL(url), app, { id_token_signed_response_alg: 'ES256' }, client.None(), {
    execute: [client.allowInsecureRequests],
  });

interface Begun {
  config: client.Configuration;
  verifier: string;
  browser: Browser;
  uid: string;
}

/** As AppAuth of Field Book: a code with PKCE, and `prompt=login`. */
async function beginWithCode(app = 'fieldbook'): Promise<Begun> {
  const config = await discover(app);
  const verifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: CODE_REDIRECT,
    scope: 'openid',
    prompt: 'login',
    state: 'of the app',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const browser = new Browser();
  return { config, verifier, browser, uid: await browser.begin(address.href) };
}

const exchange = ({ config, verifier }: Begun, back: URL) =>
  client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: 'of the app' });

const programs = async (token: string): Promise<number> =>
  (await fetch(`${url}/brapi/v2/programs`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('an app signs a person in', () => {
  test('by a code with PKCE, and gets an access token that the person sees and deletes', async () => {
    const begun = await beginWithCode();
    const asked = await begun.browser.call(ann, 'GET', begun.uid);
    expect([asked.status, asked.body]).toEqual([200, { app: 'Field Book', writes: true, token_days: 90 }]);
    const back = await begun.browser.answer(ann, 'POST', begun.uid, {
      scopes: ['read', 'write'],
      project_ids: [project.projectId],
    });
    expect(back.href.startsWith(`${CODE_REDIRECT}?code=`)).toBe(true);
    const tokens = await exchange(begun, back);
    expect(tokens.access_token).toMatch(/^hx_[\w-]{43}$/);
    expect(tokens.claims()).toMatchObject({ iss: url, sub: ann.userId, aud: 'fieldbook' });
    expect(tokens.expires_in).toBe(90 * 24 * 60 * 60);

    const info = await fetch(`${url}/api/auth/token`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect(await info.json()).toMatchObject({
      user: { uid: ann.userId },
      kind: 'access_token',
      scopes: ['read', 'write'],
      project_ids: [project.projectId],
    });
    const listed = (await ann.call('GET', '/access_tokens')).body.data[0];
    expect(listed).toMatchObject({ name: 'Field Book', scopes: ['read', 'write'] });
    expect(await programs(tokens.access_token)).toBe(200);
    await ann.call('DELETE', `/access_tokens/${listed.id}`);
    expect(await programs(tokens.access_token)).toBe(401);
  });

  test.each(['token', 'id_token token'])('by the implicit flow with the response type "%s"', async (type) => {
    const { authorization_endpoint: endpoint = '' } = (await discover('fieldbook')).serverMetadata();
    const query = new URLSearchParams({
      ...{ client_id: 'fieldbook', redirect_uri: IMPLICIT_REDIRECT, scope: 'openid', prompt: 'login', state: 'S' },
      response_type: type,
      ...(type === 'token' ? {} : { nonce: 'N' }),
    });
    const browser = new Browser();
    const uid = await browser.begin(`${endpoint}?${query}`);
    const back = await browser.answer(ann, 'POST', uid, { scopes: ['read'] });
    expect(back.href.startsWith(`${IMPLICIT_REDIRECT}#`)).toBe(true);
    const answer = new URLSearchParams(back.hash.slice(1));
    expect(answer.get('state')).toBe('S');
    expect(answer.get('token_type')).toBe('Bearer');
    const token = answer.get('access_token') ?? '';
    expect(await programs(token)).toBe(200);
    const written = await fetch(`${url}/brapi/v2/germplasm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '[]',
    });
    expect(written.status).toBe(403);
  });

  test.each(['http://localhost:1410', 'http://localhost:1410/'])('as QBMS, called back at %s', async (redirect) => {
    // As httr2 asks, without a scope.
    const verifier = client.randomPKCECodeVerifier();
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'qbms', redirect_uri: redirect, state: 'of R' },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const browser = new Browser();
    const uid = await browser.begin(`${url}/brapi/oauth/authorize?${query}`);
    expect((await browser.call(ann, 'GET', uid)).body).toMatchObject({ app: 'QBMS', writes: false });
    const back = await browser.answer(ann, 'POST', uid, { scopes: ['read'] });
    expect([back.origin, back.searchParams.get('state')]).toEqual(['http://localhost:1410', 'of R']);
    const answer = await fetch(`${url}/brapi/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', client_id: 'qbms', redirect_uri: redirect, code_verifier: verifier },
        code: back.searchParams.get('code') ?? '',
      }),
    });
    const tokens = (await answer.json()) as { id_token: string; token_type: string; expires_in: number };
    expect([answer.status, tokens.token_type, tokens.expires_in]).toEqual([200, 'Bearer', 90 * 24 * 60 * 60]);
    // It sends the ID token where other clients send the access token.
    expect(await programs(tokens.id_token)).toBe(200);
    expect((await ann.call('GET', '/access_tokens')).body.data[0]).toMatchObject({ name: 'QBMS', scopes: ['read'] });
  });

  test('and a code that is used twice takes its token back', async () => {
    const begun = await beginWithCode('intercross');
    const back = await begun.browser.answer(ann, 'POST', begun.uid, { scopes: ['read'] });
    const { access_token: token } = await exchange(begun, back);
    expect(await programs(token)).toBe(200);
    await expect(exchange(begun, back)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await programs(token)).toBe(401);
  });
});

describe('nobody gets in', () => {
  test('without the verifier of the code', async () => {
    const begun = await beginWithCode();
    const back = await begun.browser.answer(ann, 'POST', begun.uid, { scopes: ['read'] });
    await expect(exchange({ ...begun, verifier: 'v'.repeat(43) }, back)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('when the person refuses', async () => {
    const { browser, uid } = await beginWithCode();
    const back = await browser.answer(ann, 'DELETE', uid);
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 'of the app']);
  });

  test('from another browser than the one that began, with another request, or without being signed in', async () => {
    const { browser, uid } = await beginWithCode();
    const other = await new Browser().call(ann, 'POST', uid, { scopes: ['read'] });
    expect([other.status, other.body.code]).toEqual([400, 'auth/timeout']);
    expect((await browser.call(ann, 'POST', 'another', { scopes: ['read'] })).body.code).toBe('auth/timeout');
    expect((await browser.visit(`/api/auth/connections/${uid}`)).status).toBe(401);
  });

  test('to a project that the person does not reach', async () => {
    const stranger = await product.person('stranger');
    const { browser, uid } = await beginWithCode();
    const answer = await browser.call(stranger, 'POST', uid, { scopes: ['read'], project_ids: [project.projectId] });
    expect(answer.status).toBe(404);
  });

  test('as an app that we do not know, or with another way back', async () => {
    const { authorization_endpoint: endpoint = '' } = (await discover('fieldbook')).serverMetadata();
    for (const change of [{ client_id: 'unknown' }, { redirect_uri: 'https://attacker.example/' }]) {
      const query = new URLSearchParams({
        ...{ client_id: 'fieldbook', redirect_uri: CODE_REDIRECT, scope: 'openid', response_type: 'code' },
        ...change,
      });
      const answer = await fetch(`${endpoint}?${query}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
      expect(await answer.text()).toMatch(/^The app cannot be connected: .*\. Start again in the app\.\n$/);
    }
  });

  test('and a second request of the same browser asks anew', async () => {
    const { browser, uid, config } = await beginWithCode();
    await browser.answer(ann, 'POST', uid, { scopes: ['read'] });
    const again = client.buildAuthorizationUrl(config, {
      redirect_uri: CODE_REDIRECT,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge('v'.repeat(43)),
      code_challenge_method: 'S256',
    });
    const next = await browser.begin(again.href);
    expect(next).not.toBe(uid);
    // Another person at the same device.
    const stranger = await product.person('second');
    const back = await browser.answer(stranger, 'POST', next, { scopes: ['read'] });
    expect(back.searchParams.get('code')).not.toBeNull();
  });
});

test('no secret is stored in readable form', async () => {
  const begun = await beginWithCode();
  const back = await begun.browser.answer(ann, 'POST', begun.uid, { scopes: ['read'] });
  const code = back.searchParams.get('code') ?? '';
  const { access_token: token } = await exchange(begun, back);
  const { db } = product.services;
  const stored = JSON.stringify([
    await db.selectFrom('openid_records').selectAll().execute(),
    await db.selectFrom('access_tokens').selectAll().execute(),
  ]);
  expect(code.length > 40 && token.length > 40).toBe(true);
  expect([stored.includes(code), stored.includes(token)]).toEqual([false, false]);
});
