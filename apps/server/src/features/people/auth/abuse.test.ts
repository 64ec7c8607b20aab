import { EncryptJWT, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTBOX } from '../../../platform/http/testing.ts';
import { type Product, startProduct } from '../../../testing/product.ts';
import { createKeyRing, type KeyRing } from './sessions/key-ring.ts';
import { ACCESS_TOKEN, CUSTOM_TOKEN } from './sessions/token-purposes.ts';

let product: Product;
let keys: KeyRing;
beforeAll(async () => {
  product = await startProduct({ withWorker: false, changes: { registration: 'open' } });
  keys = createKeyRing(product.services.db, product.services.config.secretKey);
});
afterAll(async () => {
  await product.close();
});

async function post(url: string, payload: object, ip = '192.0.2.1') {
  const answer = await product.app.inject({ method: 'POST', url: `/api${url}`, payload, remoteAddress: ip });
  return { status: answer.statusCode, body: answer.json() };
}
const exchange = (body: object) => post('/auth/token', body);

async function get(token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await product.app.inject({ url: '/api/users/me', headers });
  return { status: answer.statusCode, body: answer.json() };
}

let people = 0;
async function signedIn() {
  const email = `abuse-${++people}@example.org`;
  await post('/signup', { email }, `198.51.100.${people}`);
  const code = await codeFor(email);
  return { email, code, tokens: (await exchange({ grant_type: 'email_link', code })).body };
}
async function codeFor(email: string): Promise<string> {
  const mails = (await product.app.inject({ url: OUTBOX })).json().data;
  return new URL(mails.find(({ to }: { to: string }) => to === email).link).searchParams.get('code') ?? '';
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

describe('an access token is refused', () => {
  const forged: [string, (token: string) => string | Promise<string>][] = [
    ['with the algorithm none', (token) => new UnsecuredJWT(claimsOf(token)).encode()],
    [
      'with the algorithm none and the header of the real one',
      (token) => {
        const header = Buffer.from(JSON.stringify({ ...headerOf(token), alg: 'none' })).toString('base64url');
        return `${header}.${token.split('.')[1]}.`;
      },
    ],
    [
      'signed with a key of somebody else under our key id',
      async (token) =>
        new SignJWT(claimsOf(token))
          .setProtectedHeader(headerOf(token))
          .sign((await generateKeyPair('ES256')).privateKey),
    ],
    [
      'that brings its own key',
      async (token) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
        const header = { ...headerOf(token), jwk: await exportJWK(publicKey), kid: 'mine' };
        return new SignJWT(claimsOf(token)).setProtectedHeader(header).sign(privateKey);
      },
    ],
    [
      'signed with our public key as a shared secret',
      async (token) =>
        new SignJWT(claimsOf(token))
          .setProtectedHeader({ ...headerOf(token), alg: 'HS256' })
          .sign(new TextEncoder().encode(JSON.stringify((await keys.listPublicKeys())[0]))),
    ],
    [
      'whose claims were changed',
      (token) => {
        const claims = { ...claimsOf(token), exp: claimsOf(token).exp + 1 };
        const [header, , signature] = token.split('.');
        return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
      },
    ],
    [
      'for another audience',
      (token) => keys.sign(claimsOf(token), { ...ACCESS_TOKEN, audience: 'other', expiresInSeconds: 60 }),
    ],
    [
      'of another purpose',
      (token) => keys.sign(claimsOf(token), { ...CUSTOM_TOKEN, audience: ACCESS_TOKEN.audience, expiresInSeconds: 60 }),
    ],
    ['that has expired', (token) => keys.sign(claimsOf(token), { ...ACCESS_TOKEN, expiresInSeconds: -1 })],
    [
      'that is encrypted',
      (token) =>
        new EncryptJWT(claimsOf(token)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(new Uint8Array(32)),
    ],
    ['that was cut', (token) => token.slice(0, -1)],
    ['that is none', () => 'a.b.c'],
  ];
  test.each(forged)('%s', async (_, forge) => {
    const { tokens } = await signedIn();
    expect((await get(tokens.access_token)).status).toBe(200);
    expect(await get(await forge(tokens.access_token))).toMatchObject({
      status: 401,
      body: { code: 'auth/invalid-token' },
    });
  });
});

describe('a session', () => {
  test('that was signed out is not refreshed, nor used by tokens that it gave before', async () => {
    const { tokens } = await signedIn();
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const second = (await exchange(refresh)).body.access_token;
    const headers = { authorization: `Bearer ${second}` };
    await product.app.inject({ method: 'DELETE', url: '/api/auth/session', headers });
    for (let round = 0; round < 3; round++)
      expect(await exchange(refresh)).toMatchObject({ status: 401, body: { code: 'auth/user-token-expired' } });
    for (const token of [tokens.access_token, second])
      expect((await get(token)).body.code).toBe('auth/user-token-expired');
  });

  test('ends while its refresh token is being used: no refresh outlives the sign-out', async () => {
    for (let round = 0; round < 20; round++) {
      const { tokens } = await signedIn();
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const [, ...refreshed] = await Promise.all([
        product.app.inject({ method: 'DELETE', url: '/api/auth/session', headers }),
        exchange(refresh),
        exchange(refresh),
      ]);
      for (const { status, body } of refreshed)
        if (status === 200) expect((await get(body.access_token)).status).toBe(401);
      expect((await exchange(refresh)).status).toBe(401);
    }
  });
});

test('of a hundred uses of a link at once one signs in', async () => {
  const email = `raced-${++people}@example.org`;
  await post('/signup', { email });
  const grant = { grant_type: 'email_link', code: await codeFor(email) };
  const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(grant)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.code ?? 'ok'))).toEqual(
    new Set(['ok', 'auth/invalid-verification-code']),
  );
});

test('guessing a link or a refresh token is refused, and answers as for one that was used', async () => {
  const { code } = await signedIn();
  const used = await exchange({ grant_type: 'email_link', code });
  const guesses = [code.slice(0, -1), `${code}x`, code.toUpperCase(), 'x'.repeat(43), '%', "' or 1=1 --"];
  for (const guess of guesses)
    expect(await exchange({ grant_type: 'email_link', code: guess })).toMatchObject({
      status: used.status,
      body: { code: used.body.code },
    });
  for (const guess of guesses)
    expect((await exchange({ grant_type: 'refresh_token', refresh_token: guess })).body.code).toBe(
      'auth/user-token-expired',
    );
});

describe('no e-mail address puts a line or a recipient into a mail', () => {
  const addresses = [
    'a@example.org\r\nBcc: victim@example.org',
    'a@example.org\nSubject: x',
    'a@example.org%0aBcc:victim@example.org',
    'a@example.org,victim@example.org',
    'a@example.org;victim@example.org',
    '"a\\r\\nBcc: v@example.org"@example.org',
    'Ann <a@example.org>',
    'a@example.org\u0000',
    'a@exam\u2028ple.org',
    'a@example.org\u202e',
  ];
  test.each(addresses)('%j', async (email) => {
    const before = await count();
    const owner = await product.person(`inviter-${people}`);
    const { organizationId } = await product.project(owner);
    for (const [url, body] of [
      ['/auth/link', { email }],
      ['/signup', { email }],
    ] as const)
      expect((await post(url, body)).status).toBe(400);
    expect((await owner.call('POST', '/users/me/email', { email })).status).toBe(400);
    const invitations = `/organizations/${organizationId}/invitations`;
    expect((await owner.call('POST', invitations, { recipient: email })).status).toBe(400);
    expect(await count()).toBe(before);
  });
  const count = async (): Promise<number> =>
    Number(
      (
        await product.services.db
          .selectFrom('mail_outbox')
          .select((select) => select.fn.countAll().as('mails'))
          .executeTakeFirstOrThrow()
      ).mails,
    );
});

/** Ten times as many as count in a window are enough to see one that grows; `npm run test:all` sends more. */
const FLOOD = process.env['TEST_ALL'] === '1' ? 10_000 : 2_000;

test('a flood of requests from one address mails a hundred links at most, in bounded time, and hold up nobody else', {
  tags: 'whole',
}, async () => {
  const ip = '203.0.113.9';
  const { email } = await signedIn();
  const started = performance.now();
  const statuses = new Map<number, number>();
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < FLOOD) {
      const number = next++;
      const { status } = await post('/signup', { email: `flood-${number}@example.org` }, ip);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const flood = new AbortController();
  const others: number[] = [];
  const somebodyElse = (async () => {
    while (!flood.signal.aborted) {
      const asked = performance.now();
      expect(
        (await post('/auth/token', { grant_type: 'refresh_token', refresh_token: 'x' }, '192.0.2.77')).status,
      ).toBe(401);
      others.push(performance.now() - asked);
    }
  })();
  await Promise.all(Array.from({ length: 20 }, sender));
  flood.abort();
  await somebodyElse;
  expect(statuses.get(200)).toBe(100);
  expect(statuses.get(429)).toBe(FLOOD - 100);
  expect((await post('/auth/link', { email }, '192.0.2.78')).status).toBe(200);
  // Each costs a few milliseconds; what it must not do is grow with the number of those before.
  expect(performance.now() - started).toBeLessThan(60_000);
  expect(Math.max(...others)).toBeLessThan(5_000);
});
