import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { OUTBOX } from '../../../../platform/http/testing.ts';
import { type Person, type Product, startProduct } from '../../../../testing/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ withWorker: false, changes: { registration: 'open' } });
});
afterAll(() => product.close());

interface Reply {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
}

async function post(url: string, payload: object, token?: string): Promise<Reply> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await product.app.inject({ method: 'POST', url: `/api${url}`, payload, headers });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

const exchange = (body: object) => post('/auth/token', body);
const refresh = (refresh_token: string) => exchange({ grant_type: 'refresh_token', refresh_token });
const look = async (token: string) =>
  (await product.app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode;

async function mailsTo(email: string): Promise<{ subject: string; text: string; link: string | null }[]> {
  const { data } = (await product.app.inject({ url: OUTBOX })).json();
  return data.filter((mail: { to: string }) => mail.to === email);
}

const codeOf = (link: string | null | undefined): string => new URL(link ?? '').searchParams.get('code') ?? '';

let people = 0;
async function signIn() {
  const email = `proof-${++people}@example.org`;
  await post('/signup', { email });
  const { body } = await exchange({ grant_type: 'email_link', code: codeOf((await mailsTo(email))[0]?.link) });
  return { email, ...body } as { email: string; access_token: string; refresh_token: string };
}

/** As if this many minutes had passed for the sessions of a person. */
const wait = (email: string, minutes: number) =>
  sql`update sessions set proved_at = proved_at - make_interval(mins => ${minutes}),
    refreshed_at = refreshed_at - make_interval(mins => ${minutes})
    where user_id = (select id from users where email = ${email})`.execute(product.services.db);

describe('a refresh token', () => {
  test('is replaced at every use, and the one before ends the session once its successor is in use', async () => {
    const stolen = await signIn();
    const first = await refresh(stolen.refresh_token);
    expect(first.body.refresh_token).not.toBe(stolen.refresh_token);
    expect(await look(first.body.access_token)).toBe(200);
    await wait(stolen.email, 1);
    const second = await refresh(first.body.refresh_token);
    expect(second.status).toBe(200);

    const thief = await refresh(stolen.refresh_token);
    expect([thief.status, thief.body.code]).toEqual([401, 'auth/user-token-expired']);
    expect(thief.body.detail).toContain('used a second time');
    // Nobody can tell which of the two is the thief.
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
    expect(await look(second.body.access_token)).toBe(401);
    const { rows } = await sql`select details from audit_events where action = 'session.copied'
      and actor_email = ${stolen.email}`.execute(product.services.db);
    expect(rows).toHaveLength(1);
  });

  test('that a thief uses first ends the session when its owner comes', async () => {
    const owner = await signIn();
    const thief = await refresh(owner.refresh_token);
    expect(await look(thief.body.access_token)).toBe(200);
    await wait(owner.email, 1);
    expect((await refresh(owner.refresh_token)).status).toBe(401);
    expect((await refresh(thief.body.refresh_token)).status).toBe(401);
  });

  test('used by several tabs at once gives all of them the same next one', async () => {
    const { access_token, refresh_token } = await signIn();
    const all = await Promise.all(Array.from({ length: 6 }, () => refresh(refresh_token)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(all.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(await look(access_token)).toBe(200);
    // A tab that asks a moment after another one has used the new token.
    expect(await look(all[0]?.body.access_token)).toBe(200);
    expect((await refresh(refresh_token)).body.refresh_token).toBe(all[0]?.body.refresh_token);
  });

  test('whose answer was lost on the way gives it again, also the next morning', async () => {
    const { email, refresh_token } = await signIn();
    const lost = await refresh(refresh_token);
    await wait(email, 600);
    const again = await refresh(refresh_token);
    expect([again.status, again.body.refresh_token]).toEqual([200, lost.body.refresh_token]);
  });

  test.each(['made up', 'x'.repeat(43), 'ROOT.1.AAAA', 'ROOT.1', 'ROOT.01.MAC', 'ROOT.2.MAC'])(
    'written as %s opens nothing and ends nothing',
    async (form) => {
      const { access_token, refresh_token } = await signIn();
      const [root = '', , mac = ''] = (await refresh(refresh_token)).body.refresh_token.split('.');
      const forged = await refresh(form.replace('ROOT', root).replace('MAC', mac));
      expect([forged.status, forged.body.code]).toEqual([401, 'auth/user-token-expired']);
      expect(await look(access_token)).toBe(200);
    },
  );

  test('is stored nowhere, nor is what it is made of', async () => {
    const { refresh_token } = await signIn();
    const next = (await refresh(refresh_token)).body.refresh_token as string;
    const { rows } = await sql<{ text: string }>`select sessions::text as text from sessions`.execute(
      product.services.db,
    );
    for (const { text } of rows)
      for (const part of next.split('.').filter((one) => one.length > 9)) expect(text).not.toContain(part);
  });
});

test('a clock that jumps an hour or a day ends no session: those of the database and of this process differ then', async () => {
  const { access_token, refresh_token } = await signIn();
  const real = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: real + 3_600_000 });
  try {
    // An access token that seems to have expired is replaced, as any other.
    expect(await look(access_token)).toBe(401);
    const ahead = await refresh(refresh_token);
    expect([ahead.status, await look(ahead.body.access_token)]).toEqual([200, 200]);
    vi.setSystemTime(real - 86_400_000);
    expect(await look(ahead.body.access_token)).toBe(200);
    const behind = await refresh(ahead.body.refresh_token);
    vi.setSystemTime(real);
    // What was issued by a clock that was behind has expired, and its refresh token has not.
    expect(await look(behind.body.access_token)).toBe(401);
    const right = await refresh(behind.body.refresh_token);
    expect([right.status, await look(right.body.access_token)]).toEqual([200, 200]);
  } finally {
    vi.useRealTimers();
  }
});

test('a link that was used ends the ones mailed before it, of this person alone', async () => {
  const [{ email }, other] = [await signIn(), await signIn()];
  for (const one of [email, email, email, other.email]) await post('/auth/link', { email: one });
  const [newest, older, oldest] = (await mailsTo(email)).map(({ link }) => codeOf(link));
  expect((await exchange({ grant_type: 'email_link', code: older })).status).toBe(200);
  for (const code of [newest, oldest]) {
    const { status, body } = await exchange({ grant_type: 'email_link', code });
    expect([status, body.code]).toEqual([400, 'auth/invalid-verification-code']);
  }
  const untouched = await exchange({ grant_type: 'email_link', code: codeOf((await mailsTo(other.email))[0]?.link) });
  expect(untouched.status).toBe(200);
});

describe('what a stolen session could not undo', () => {
  let person: Person;
  beforeEach(async () => {
    person = await product.person(`careful-${++people}`);
    await wait(person.email, 20);
  });
  const mailedCode = async () => /\d{4} \d{4}/.exec((await mailsTo(person.email))[0]?.text ?? '')?.[0] ?? '';
  const token = { name: 'Script', scopes: ['read'], expires_in_days: 1 };

  test('needs a proof a few minutes old, and nothing else does', async () => {
    const listed = product.app.guardedRoutes.filter(({ needsProof }) => needsProof);
    expect(listed.map(({ method, url }) => `${method} ${url.slice('/api'.length)}`).toSorted()).toEqual([
      'DELETE /users/me',
      'DELETE /users/me/second_factor',
      'POST /access_tokens',
      'POST /auth/connections/:uid',
      'POST /users/me/email',
      'POST /users/me/second_factor',
      'POST /users/me/second_factor/confirm',
      'POST /users/me/second_factor/recovery_codes',
    ]);
    for (const { method, url } of listed) {
      const { status, body } = await person.call(method as 'POST', url.replace(':uid', 'x'), {});
      expect([status, body.code], `${method} ${url}`).toEqual([403, 'auth/requires-recent-login']);
    }
  });

  test('is done after the mailed code, which works once', async () => {
    expect((await person.call('GET', '/auth/proof')).body).toEqual({ method: 'mail', is_fresh: false });
    expect((await person.call('POST', '/auth/proof/mail')).body).toEqual({ expires_in: 600 });
    const code = await mailedCode();
    expect((await person.call('POST', '/auth/proof', { code })).status).toBe(204);
    expect((await person.call('GET', '/auth/proof')).body.is_fresh).toBe(true);
    expect((await person.call('POST', '/access_tokens', token)).status).toBe(201);
    await wait(person.email, 20);
    expect((await person.call('POST', '/auth/proof', { code })).body.code).toBe('auth/code-expired');
    expect((await person.call('POST', '/access_tokens', token)).status).toBe(403);
  });

  test('is not done by guessing: five tries, then not by the right code either', async () => {
    await person.call('POST', '/auth/proof/mail');
    const code = await mailedCode();
    const wrong = code.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10));
    for (let i = 0; i < 5; i++) {
      const tried = await person.call('POST', '/auth/proof', { code: wrong });
      expect([tried.status, tried.body.code]).toEqual([400, 'auth/wrong-code']);
    }
    expect((await person.call('POST', '/auth/proof', { code })).body.code).toBe('auth/code-expired');
  });

  test('by the code of another session of the same person is refused', async () => {
    const elsewhere = await product.person(person.email.split('@')[0] ?? '');
    await elsewhere.call('POST', '/auth/proof/mail');
    expect((await person.call('POST', '/auth/proof', { code: await mailedCode() })).status).toBe(400);
  });
});

test('a changed e-mail address ends the other sessions where that was asked for', async () => {
  for (const ends of [true, false]) {
    const name = `moving-${++people}`;
    const [here, elsewhere] = [await product.person(name), await product.person(name)];
    const email = `${name}-new@example.org`;
    await here.call('POST', '/users/me/email', { email, end_other_sessions: ends });
    const confirmed = await post('/auth/email', { code: codeOf((await mailsTo(email))[0]?.link) });
    expect(confirmed.body).toEqual({ email });
    expect([await look(here.token), await look(elsewhere.token)]).toEqual([200, ends ? 401 : 200]);
  }
});

/** The authenticator app of a person; each code is of the next 30 seconds, because none works twice. */
function appOf(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  let step = totp.counter();
  return { code: (ahead = 0) => totp.generate({ timestamp: (step + ahead) * 30_000 }), next: () => step++ };
}

describe('a second factor', () => {
  let person: Person;
  let app: ReturnType<typeof appOf>;
  let recovery: string[];
  let secret: string;
  beforeEach(async () => {
    // Codes are of this moment and the next ones: nothing depends on when the test runs.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    person = await product.person(`factor-${++people}`);
    const { body } = await person.call('POST', '/users/me/second_factor');
    expect(body.uri).toContain('otpauth://totp/Heterosis:');
    app = appOf(body.secret);
    secret = body.secret;
    const confirmed = await person.call('POST', '/users/me/second_factor/confirm', { code: app.code() });
    recovery = confirmed.body.recovery_codes;
    return () => vi.useRealTimers();
  });
  const later = () => {
    vi.setSystemTime(Date.now() + 30_000);
    app.next();
  };
  const firstStep = async () => {
    await post('/auth/link', { email: person.email });
    const code = codeOf((await mailsTo(person.email)).find(({ link }) => link !== null)?.link);
    const { status, body } = await exchange({ grant_type: 'email_link', code });
    expect([status, body.code]).toEqual([401, 'auth/multi-factor-auth-required']);
    return body.details.second_factor_token as string;
  };
  const secondStep = async (code: string, token?: string) =>
    exchange({ grant_type: 'second_factor', token: token ?? (await firstStep()), code });

  test('is asked for at every sign-in, and each of its codes works once', async () => {
    expect(recovery).toHaveLength(10);
    later();
    const code = app.code();
    expect((await secondStep(code)).status).toBe(200);
    expect((await secondStep(code)).body.code).toBe('auth/wrong-code');
    // A clock that is one step behind or ahead is right; a code that is two steps old is not.
    later();
    expect((await secondStep(app.code(1))).status).toBe(200);
    later();
    later();
    later();
    expect((await secondStep(app.code(-2))).body.code).toBe('auth/wrong-code');
    expect((await secondStep(app.code(-1))).status).toBe(200);
  });

  test('has recovery codes for a lost device, each for once; these are kept as hashes, and the secret sealed', async () => {
    const [first = '', second = ''] = recovery;
    expect((await secondStep(first.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await secondStep(first)).body.code).toBe('auth/wrong-code');
    expect((await person.call('GET', '/users/me/second_factor')).body).toMatchObject({ recovery_codes: 9 });
    const renewed = await person.call('POST', '/users/me/second_factor/recovery_codes');
    expect((await secondStep(second)).body.code).toBe('auth/wrong-code');
    expect((await secondStep(renewed.body.recovery_codes[0])).status).toBe(200);
    const { rows } = await sql<{ text: string }>`select recovery_codes::text as text from recovery_codes
      union all select second_factors::text from second_factors`.execute(product.services.db);
    for (const { text } of rows) for (const code of [secret, ...recovery]) expect(text).not.toContain(code);
  });

  test('is not guessed: ten wrong codes, and the right one waits too', async () => {
    later();
    const token = await firstStep();
    const wrong = app.code().replace(/^\d/, (digit) => String((Number(digit) + 1) % 10));
    const tried = await Promise.all(Array.from({ length: 14 }, () => secondStep(wrong, token)));
    expect(tried.filter(({ body }) => body.code === 'auth/wrong-code')).toHaveLength(10);
    const right = await secondStep(app.code(), token);
    expect([right.status, right.body.code]).toEqual([429, 'auth/too-many-requests']);
    await sql`update second_factors set tried_at = tried_at - interval '16 minutes'
      where user_id = ${person.userId}`.execute(product.services.db);
    expect((await secondStep(app.code(), token)).status).toBe(200);
  });

  test('proves again who it is, in place of the mailed code, and is removed by that', async () => {
    await wait(person.email, 20);
    expect((await person.call('GET', '/auth/proof')).body.method).toBe('second_factor');
    expect((await person.call('POST', '/auth/proof/mail')).status).toBe(403);
    expect((await person.call('DELETE', '/users/me/second_factor')).status).toBe(403);
    later();
    expect((await person.call('POST', '/auth/proof', { code: app.code() })).status).toBe(204);
    expect((await person.call('DELETE', '/users/me/second_factor')).status).toBe(204);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      'The second factor of your Heterosis account was removed',
    );
    await post('/auth/link', { email: person.email });
    const code = codeOf((await mailsTo(person.email))[0]?.link);
    expect((await exchange({ grant_type: 'email_link', code })).status).toBe(200);
  });

  test('ends the sessions that were begun without it', async () => {
    const late = await product.person(`late-${people}`);
    const elsewhere = await product.person(`late-${people}`);
    const { body } = await late.call('POST', '/users/me/second_factor');
    // Until it is confirmed, nothing changes.
    expect(await look(elsewhere.token)).toBe(200);
    await late.call('POST', '/users/me/second_factor/confirm', { code: appOf(body.secret).code() });
    expect([await look(late.token), await look(elsewhere.token)]).toEqual([200, 401]);
  });

  test('is demanded by an organization: members without one reach nothing until they have it', async () => {
    const place = await product.project(person);
    const address = `/organizations/${place.organizationId}`;
    const [member, guest, owner] = await Promise.all(
      ['member', 'guest', 'owner'].map((name) => product.person(`${name}-${people}`)),
    );
    if (!member || !guest || !owner) throw new Error('nobody');
    await sql`insert into organization_members (id, organization_id, user_id, role) values
      (gen_random_uuid(), ${place.organizationId}, ${member.userId}, 'MEMBER'),
      (gen_random_uuid(), ${place.organizationId}, ${owner.userId}, 'OWNER')`.execute(product.services.db);
    await product.join(place, guest, 'MEMBER');
    const script = (await guest.call('POST', '/access_tokens', { name: 'x', scopes: ['read'], expires_in_days: 1 }))
      .body.token as string;
    const demand = (by: Person) => by.call('PUT', address, { requires_second_factor: true });
    expect((await demand(owner)).body.code).toBe('organizations/own-second-factor');
    expect((await demand(member)).status).toBe(403);
    expect((await demand(person)).body.requires_second_factor).toBe(true);

    for (const one of [member, guest, owner]) {
      for (const url of [place.address, '/projects', '/organizations'])
        expect((await one.call('GET', url)).body.code, url).toBe('auth/second-factor-demanded');
      const headers = { authorization: `Bearer ${one.token}` };
      const brapi = await product.app.inject({ url: '/brapi/v2/studies', headers });
      expect([brapi.statusCode, brapi.body.includes('demands a second factor')]).toEqual([403, true]);
      expect((await one.call('GET', '/users/me/second_factor')).body).toMatchObject({
        since: null,
        demanded_by: ['Acme Breeding'],
      });
    }
    const byScript = { url: '/api/projects', headers: { authorization: `Bearer ${script}` } };
    expect((await product.app.inject(byScript)).statusCode).toBe(403);
    const { body } = await member.call('POST', '/users/me/second_factor');
    await member.call('POST', '/users/me/second_factor/confirm', { code: appOf(body.secret).code() });
    expect((await member.call('GET', address)).status).toBe(200);
    expect((await person.call('GET', place.address)).status).toBe(200);
  });
});
