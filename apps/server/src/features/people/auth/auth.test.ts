import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTBOX, OUTBOX_KEY } from '../../../platform/http/testing.ts';
import { type Product, startProduct } from '../../../testing/product.ts';
import { sweepSignIns } from './sign-in/sweep-sign-ins.ts';

let open: Product;
let approval: Product;
beforeAll(async () => {
  open = await startProduct({ withWorker: false, changes: { registration: 'open' } });
  approval = await startProduct({ withWorker: false, changes: { registration: 'approval' } });
});
afterAll(async () => {
  await open.close();
  await approval.close();
});

interface Reply {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
}

async function call(
  product: Product,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  { body, token, ip }: { body?: object; token?: string; ip?: string } = {},
): Promise<Reply> {
  const answer = await product.app.inject({
    method,
    url: `/api${url}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
    ...(ip === undefined ? {} : { remoteAddress: ip }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

let people = 0;
const newEmail = (): string => `person-${++people}@example.org`;
const ask = (product: Product, email: string, ip?: string) =>
  call(product, 'POST', '/auth/link', { body: { email }, ...(ip === undefined ? {} : { ip }) });
const exchange = (product: Product, body: object) => call(product, 'POST', '/auth/token', { body });

async function codeFor(product: Product, email: string): Promise<string> {
  const { body } = await call(product, 'GET', OUTBOX.slice('/api'.length));
  const mail = body.data.find(({ to }: { to: string }) => to === email);
  return new URL(mail.link).searchParams.get('code') ?? '';
}

/** Registers an account and signs in by its mailed link. */
async function signIn(product = open): Promise<{ email: string; code: string; tokens: Reply['body'] }> {
  const email = newEmail();
  await call(product, 'POST', '/signup', { body: { email } });
  const code = await codeFor(product, email);
  const { status, body } = await exchange(product, { grant_type: 'email_link', code });
  expect(status).toBe(200);
  return { email, code, tokens: body };
}

describe('a mailed link', () => {
  test('signs in the person whose mailbox it reached, and shows that the address is verified', async () => {
    const { email, tokens } = await signIn();
    expect(tokens).toMatchObject({ expires_in: 900, user: { email, emailVerified: true, displayName: null } });
    const me = await call(open, 'GET', '/auth/token', { token: tokens.access_token });
    expect(me.body).toMatchObject({ kind: 'session', scopes: ['read', 'write'], organizations: [] });
  });

  test('works once, also when two requests come at the same time', async () => {
    const email = newEmail();
    await call(open, 'POST', '/signup', { body: { email } });
    const code = await codeFor(open, email);
    const both = await Promise.all([1, 2].map(() => exchange(open, { grant_type: 'email_link', code })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const again = await exchange(open, { grant_type: 'email_link', code });
    expect(again.body.code).toBe('auth/invalid-verification-code');
  });

  test('is refused after a quarter of an hour', async () => {
    const email = newEmail();
    await call(open, 'POST', '/signup', { body: { email } });
    const code = await codeFor(open, email);
    await sql`update sign_in_codes set expires_at = now() - interval '1 second'`.execute(open.services.db);
    expect((await exchange(open, { grant_type: 'email_link', code })).body.code).toBe('auth/code-expired');
  });

  test('is stored as a hash only', async () => {
    const { code } = await signIn();
    const { rows } = await sql<{ text: string }>`select sign_in_codes::text as text from sign_in_codes`.execute(
      open.services.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(code);
  });

  test('that was made up signs nobody in', async () => {
    const { status, body } = await exchange(open, { grant_type: 'email_link', code: 'x'.repeat(43) });
    expect([status, body.code]).toEqual([400, 'auth/invalid-verification-code']);
  });

  test('leads back only to pages of ours', async () => {
    const { email } = await signIn();
    for (const return_to of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect((await call(open, 'POST', '/auth/link', { body: { email, return_to } })).status).toBe(400);
    const good = await call(open, 'POST', '/auth/link', { body: { email, return_to: '/projects?x=1' } });
    expect(good.status).toBe(200);
  });
});

describe('an address', () => {
  test('that nobody has is answered so that registration can be offered', async () => {
    const { status, body } = await ask(open, newEmail());
    expect([status, body.code]).toEqual([404, 'auth/user-not-found']);
  });

  test.each(['', 'no-at-sign', '@example.org', 'a@b', '.a@example.org', 'a b@example.org', `${'a'.repeat(250)}@b.org`])(
    'written %j is refused before anything is sent',
    async (email) => {
      const { status, body } = await ask(open, email);
      expect([status, body.code]).toEqual([400, 'request/invalid']);
      expect(body.invalid_params[0].name).toBe('body.email');
    },
  );

  test('is the same in any case', async () => {
    const { email } = await signIn();
    expect((await ask(open, email.toUpperCase())).status).toBe(200);
  });

  test('gets at most ten mails in a quarter of an hour, a network a hundred', async () => {
    const { email } = await signIn();
    const asked: number[] = [];
    for (let i = 0; i < 12; i++) asked.push((await ask(open, email, '203.0.113.7')).status);
    expect(asked.filter((status) => status === 200)).toHaveLength(9);
    expect(asked.at(-1)).toBe(429);
    const limited = await open.app.inject({
      method: 'POST',
      url: '/api/auth/link',
      payload: { email },
      remoteAddress: '203.0.113.7',
    });
    expect(limited.headers['retry-after']).toBe('900');
    const { email: other } = await signIn();
    expect((await ask(open, other, '203.0.113.8')).status).toBe(200);
  });
});

test('the outbox opens with its key alone, from wherever a request seems to come', async () => {
  const read = async (query: string, headers: Record<string, string> = {}) =>
    (await open.app.inject({ url: `/api/dev/outbox${query}`, headers })).statusCode;
  expect(await read(`?key=${OUTBOX_KEY}`)).toBe(200);
  expect(await read('')).toBe(400);
  // What nginx sends with a plain `proxy_pass`, and what any other user of the machine can send.
  for (const query of ['?key=', `?key=${OUTBOX_KEY.slice(1)}`, `?key=${OUTBOX_KEY}x`])
    expect(await read(query, { host: '127.0.0.1:3000', connection: 'close' }), query).toBe(404);
});

describe('where an operator approves registrations', () => {
  test('asking for an account changes nothing but the list of those who wait', async () => {
    const email = newEmail();
    const requested = await call(approval, 'POST', '/signup', { body: { email } });
    expect(requested.body).toEqual({ status: 'requested' });
    expect((await call(approval, 'POST', '/signup', { body: { email } })).body).toEqual({ status: 'requested' });
    expect((await call(approval, 'GET', OUTBOX.slice('/api'.length))).body.data).toEqual([]);
    const waiting = await ask(approval, email);
    expect([waiting.status, waiting.body.code]).toEqual([409, 'auth/registration-pending']);
    const { rows } = await sql`select * from registrations where email = ${email}`.execute(approval.services.db);
    expect(rows).toHaveLength(1);
  });
});

describe('a session', () => {
  test('gives new access tokens for its refresh token until it ends', async () => {
    const { tokens } = await signIn();
    const refresh = () => exchange(open, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    const fresh = await refresh();
    expect(fresh.body.refresh_token).not.toBe(tokens.refresh_token);
    expect((await call(open, 'GET', '/users/me', { token: fresh.body.access_token })).status).toBe(200);
    // Several tabs refresh at the same moment.
    expect((await Promise.all([refresh(), refresh(), refresh()])).map(({ status }) => status)).toEqual([200, 200, 200]);

    expect((await call(open, 'DELETE', '/auth/session', { token: fresh.body.access_token })).status).toBe(204);
    expect((await refresh()).body.code).toBe('auth/user-token-expired');
    const after = await call(open, 'GET', '/users/me', { token: fresh.body.access_token });
    expect([after.status, after.body.code]).toEqual([401, 'auth/user-token-expired']);
  });

  test('ends after 30 days without use, and 180 days after the sign-in however often it is used', async () => {
    const { db } = open.services;
    const { email, tokens } = await signIn();
    let { refresh_token } = tokens;
    const refresh = async () => {
      const { status, body } = await exchange(open, { grant_type: 'refresh_token', refresh_token });
      refresh_token = body.refresh_token ?? refresh_token;
      return status;
    };
    // Move the stored rows into the past, as if that much time had passed.
    const wait = (days: number) =>
      sql`update sessions set created_at = created_at - make_interval(days => ${days}),
        expires_at = expires_at - make_interval(days => ${days})
        where user_id = (select id from users where email = ${email})`.execute(db);
    for (let days = 0; days < 174; days += 29) {
      expect(await refresh()).toBe(200);
      await wait(29);
    }
    expect(await refresh()).toBe(200);
    await wait(7);
    expect(await refresh()).toBe(401);

    const idle = await signIn();
    await sql`update sessions set expires_at = expires_at - make_interval(days => 31)
      where user_id = (select id from users where email = ${idle.email})`.execute(db);
    const late = await exchange(open, { grant_type: 'refresh_token', refresh_token: idle.tokens.refresh_token });
    expect(late.body.code).toBe('auth/user-token-expired');
  });

  test('of a disabled account ends', async () => {
    const { email, tokens } = await signIn();
    await sql`update users set disabled_at = now() where email = ${email}`.execute(open.services.db);
    expect((await call(open, 'GET', '/users/me', { token: tokens.access_token })).body.code).toMatch(/^auth\/user-/);
    const refreshed = await exchange(open, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    expect(refreshed.body.code).toBe('auth/user-disabled');
    expect((await ask(open, email)).body.code).toBe('auth/user-disabled');
  });

  test.each([
    ['nothing', undefined, 'auth/missing-token'],
    ['a text that is no token', 'abc', 'auth/invalid-token'],
    ['a token with a changed signature', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA', 'auth/invalid-token'],
    ['an unsigned token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 'auth/invalid-token'],
  ])('is not had with %s', async (_, token, code) => {
    const { status, body } = await call(open, 'GET', '/users/me', token === undefined ? {} : { token });
    expect([status, body.code]).toEqual([401, code]);
  });

  test('is not had with a custom token in place of an access token, nor the other way round', async () => {
    const { tokens } = await signIn();
    const custom = await exchange(open, { grant_type: 'custom_token', token: tokens.access_token });
    expect(custom.body.code).toMatch(/^auth\/(?:invalid-custom-token|custom-token-mismatch)$/);
  });
});

describe('a personal access token', () => {
  const create = (token: string, body: object) => call(open, 'POST', '/access_tokens', { token, body });

  test('is shown once, stored as a hash, listed, used and revoked', async () => {
    const { tokens } = await signIn();
    const token = tokens.access_token;
    const made = await create(token, { name: 'R script', scopes: ['read'], expires_in_days: 30 });
    expect(made.status).toBe(201);
    const listed = await call(open, 'GET', '/access_tokens', { token });
    expect(listed.body.data).toMatchObject([{ name: 'R script', scopes: ['read'], last_used_at: null }]);
    expect(JSON.stringify(listed.body)).not.toContain(made.body.token);
    const { rows } = await sql<{ text: string }>`select access_tokens::text as text from access_tokens`.execute(
      open.services.db,
    );
    expect(rows.some(({ text }) => text.includes(made.body.token))).toBe(false);

    const info = await call(open, 'GET', '/auth/token', { token: made.body.token });
    expect(info.body).toMatchObject({ kind: 'access_token', scopes: ['read'] });
    const write = await call(open, 'POST', '/organizations', { token: made.body.token, body: { name: 'X' } });
    expect([write.status, write.body.code]).toEqual([403, 'auth/insufficient-scope']);
    expect((await call(open, 'DELETE', '/auth/session', { token: made.body.token })).status).toBe(403);

    expect((await call(open, 'DELETE', `/access_tokens/${made.body.id}`, { token })).status).toBe(204);
    expect((await call(open, 'GET', '/users/me', { token: made.body.token })).status).toBe(401);
  });

  test('ends when its days are over', async () => {
    const { tokens } = await signIn();
    const made = await create(tokens.access_token, { name: 'Old', scopes: ['write'], expires_in_days: 1 });
    await sql`update access_tokens set expires_at = now() - interval '1 second' where id = ${made.body.id}`.execute(
      open.services.db,
    );
    expect((await call(open, 'GET', '/users/me', { token: made.body.token })).body.code).toBe('auth/invalid-token');
  });

  test.each([
    ['no name', { name: ' ', scopes: ['read'], expires_in_days: 1 }, 'body.name'],
    ['no scope', { name: 'x', scopes: [], expires_in_days: 1 }, 'body.scopes'],
    ['an unknown scope', { name: 'x', scopes: ['admin'], expires_in_days: 1 }, 'body.scopes[0]'],
    ['more than a year', { name: 'x', scopes: ['read'], expires_in_days: 366 }, 'body.expires_in_days'],
  ])('with %s is refused', async (_, body, name) => {
    const { tokens } = await signIn();
    const { status, body: problem } = await create(tokens.access_token, body);
    expect(status).toBe(400);
    expect(problem.invalid_params[0].name.replaceAll(/\.(\d+)/g, '[$1]')).toBe(name);
  });
});

test('the profile takes first and last name, and both are needed', async () => {
  const { tokens } = await signIn();
  const put = (body: object) =>
    open.app.inject({
      method: 'PUT',
      url: '/api/users/me',
      headers: { authorization: `Bearer ${tokens.access_token}` },
      payload: body,
    });
  expect((await put({ first_name: ' Ann ', last_name: 'Breeder' })).json()).toMatchObject({ name: 'Ann Breeder' });
  expect((await put({ first_name: 'Ann', last_name: ' ' })).statusCode).toBe(400);
  expect((await put({ first_name: 'Ann' })).statusCode).toBe(400);
});

test('codes and sessions are swept a month after they ended, no sooner', async () => {
  const { email, tokens } = await signIn();
  const { db } = open.services;
  const rowsOf = async (table: 'sessions' | 'sign_in_codes'): Promise<number> =>
    (
      await db
        .selectFrom(table)
        .innerJoin('users', 'users.id', `${table}.user_id`)
        .select(`${table}.id`)
        .where('users.email', '=', email)
        .execute()
    ).length;
  await call(open, 'DELETE', '/auth/session', { token: tokens.access_token });
  await sweepSignIns(db);
  expect([await rowsOf('sessions'), await rowsOf('sign_in_codes')]).toEqual([1, 1]);
  await sql`update sessions set revoked_at = revoked_at - interval '31 days'`.execute(db);
  await sql`update sign_in_codes set expires_at = expires_at - interval '31 days'`.execute(db);
  await sweepSignIns(db);
  expect([await rowsOf('sessions'), await rowsOf('sign_in_codes')]).toEqual([0, 0]);
});
