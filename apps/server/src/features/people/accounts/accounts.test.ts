import type { UserSession } from '@heterosis/contracts/people/auth';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTBOX } from '../../../platform/http/testing.ts';
import { GIF, JPEG_2X1, PNG_2X1 } from '../../../platform/images/read-image.test-data.ts';
import { type Person, type Product, startProduct } from '../../../testing/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ withWorker: false, changes: { registration: 'open' } });
});
afterAll(async () => {
  await product.close();
});

let made = 0;
const somebody = (): Promise<Person> => product.person(`account-${++made}`);

async function post(url: string, payload: object) {
  const answer = await product.app.inject({ method: 'POST', url: `/api${url}`, payload });
  return { status: answer.statusCode, body: answer.json() };
}

const mailsTo = async (to: string): Promise<{ subject: string; text: string; link: string | null }[]> =>
  (await product.app.inject({ url: OUTBOX })).json().data.filter((mail: { to: string }) => mail.to === to);
const codeFor = async (to: string): Promise<string> =>
  new URL((await mailsTo(to))[0]?.link ?? '').searchParams.get('code') ?? '';

describe('a new e-mail address', () => {
  const change = (person: Person, email: string) => person.call('POST', '/users/me/email', { email });

  test('counts once its link is opened; the old one is told, and its links to sign in stop working', async () => {
    const person = await somebody();
    const email = `New-${made}@example.org`;
    await post('/auth/link', { email: person.email });
    const oldLink = await codeFor(person.email);
    expect((await change(person, email)).status).toBe(200);
    expect((await person.call('GET', '/users/me')).body).toMatchObject({
      email: person.email,
      pending_email: email.toLowerCase(),
    });
    const code = await codeFor(email.toLowerCase());
    const answers = await Promise.all([post('/auth/email', { code }), post('/auth/email', { code })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await person.call('GET', '/users/me')).body).toMatchObject({
      email: email.toLowerCase(),
      pending_email: null,
    });
    expect((await mailsTo(person.email))[0]).toMatchObject({ text: expect.stringContaining(email.toLowerCase()) });
    expect(await post('/auth/token', { grant_type: 'email_link', code: oldLink })).toMatchObject({ status: 400 });
    expect((await post('/auth/link', { email: person.email })).status).toBe(404);
    expect((await post('/auth/link', { email })).status).toBe(200);
  });

  test('is not had by guessing, after its hour, by an older link or after it was given up', async () => {
    const person = await somebody();
    const [first, second] = [`first-${made}@example.org`, `second-${made}@example.org`];
    await change(person, first);
    await change(person, second);
    for (const code of ['x'.repeat(43), await codeFor(first)])
      expect((await post('/auth/email', { code })).body.code).toBe('auth/invalid-verification-code');
    await sql`update email_changes set expires_at = now() where user_id = ${person.userId}`.execute(
      product.services.db,
    );
    expect((await post('/auth/email', { code: await codeFor(second) })).status).toBe(400);
    await change(person, first);
    await person.call('DELETE', '/users/me/email');
    expect((await post('/auth/email', { code: await codeFor(first) })).status).toBe(400);
    expect((await person.call('GET', '/users/me')).body).toMatchObject({ email: person.email, pending_email: null });
  });

  test('of another account is refused, also when that one took it after the link was mailed', async () => {
    const [person, other] = [await somebody(), await somebody()];
    expect((await change(person, other.email)).body.code).toBe('auth/email-already-in-use');
    expect((await change(person, person.email)).status).toBe(400);
    const email = `raced-${made}@example.org`;
    await change(person, email);
    const code = await codeFor(email);
    await post('/signup', { email });
    expect(await post('/auth/email', { code })).toMatchObject({
      status: 409,
      body: { code: 'auth/email-already-in-use' },
    });
    expect((await person.call('GET', '/users/me')).body.email).toBe(person.email);
  });

  test('taken by two accounts at once goes to one of them', async () => {
    const people = [await somebody(), await somebody(), await somebody()];
    const email = `wanted-${made}@example.org`;
    const codes: string[] = [];
    for (const person of people) {
      await change(person, email);
      codes.push(await codeFor(email));
    }
    const answers = await Promise.all(codes.map((code) => post('/auth/email', { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('a photo', () => {
  const send = async (person: Person, bytes: Buffer, type: string) => {
    const answer = await product.app.inject({
      method: 'PUT',
      url: '/api/users/me/photo',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': type },
      payload: bytes,
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  test('is kept, shown to who has its address, replaced and removed', async () => {
    const person = await somebody();
    const first = await send(person, PNG_2X1, 'image/png');
    expect(first.status).toBe(200);
    const shown = await product.app.inject({ url: first.body.photo_url });
    expect(shown.rawPayload).toEqual(PNG_2X1);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const second = await send(person, JPEG_2X1, 'image/png');
    expect(second.body.photo_url).not.toBe(first.body.photo_url);
    expect((await product.app.inject({ url: first.body.photo_url })).statusCode).toBe(404);
    // The bytes say what it is.
    expect((await product.app.inject({ url: second.body.photo_url })).headers['content-type']).toBe('image/jpeg');
    expect((await person.call('GET', '/auth/token')).body.user.photoURL).toBe(second.body.photo_url);
    expect((await person.call('DELETE', '/users/me/photo')).body.photo_url).toBeNull();
    expect((await product.app.inject({ url: second.body.photo_url })).statusCode).toBe(404);
  });

  test('is refused when it is something else, too large or too wide', async () => {
    const person = await somebody();
    const wide = Buffer.from(PNG_2X1);
    wide.writeUInt32BE(2049, 16);
    expect((await send(person, GIF, 'image/png')).body.code).toBe('accounts/unusable-photo');
    expect((await send(person, Buffer.from('<svg/>'), 'image/png')).status).toBe(400);
    expect((await send(person, wide, 'image/png')).status).toBe(400);
    expect((await send(person, Buffer.from('<svg/>'), 'image/svg+xml')).body.code).toBe('request/invalid');
    const large = Buffer.concat([PNG_2X1, Buffer.alloc(512 * 1024)]);
    expect((await send(person, large, 'image/png')).status).toBe(413);
    expect((await person.call('GET', '/users/me')).body.photo_url).toBeNull();
  });
});

describe('the list of sessions', () => {
  test("shows one's own, and ends one of them or all others", async () => {
    const first = await somebody();
    const name = first.email.split('@')[0] ?? '';
    const [second, third, stranger] = [await product.person(name), await product.person(name), await somebody()];
    const list = async (person: Person): Promise<UserSession[]> => (await person.call('GET', '/sessions')).body.data;
    const sessions = await list(first);
    expect(sessions.map(({ is_current }) => is_current)).toEqual([false, false, true]);
    const newest = sessions[0]?.id;
    expect((await stranger.call('DELETE', `/sessions/${newest}`)).status).toBe(404);
    expect((await first.call('DELETE', `/sessions/${newest}`)).status).toBe(204);
    expect((await first.call('DELETE', `/sessions/${newest}`)).status).toBe(404);
    expect((await third.call('GET', '/users/me')).body.code).toBe('auth/user-token-expired');
    expect((await first.call('DELETE', '/sessions')).status).toBe(204);
    expect((await second.call('GET', '/users/me')).status).toBe(401);
    expect(await list(first)).toMatchObject([{ is_current: true }]);
    expect((await stranger.call('GET', '/users/me')).status).toBe(200);
  });
});

describe('deleting an account', () => {
  const remove = (person: Person, confirm = person.email) =>
    person.call('DELETE', `/users/me?confirm=${encodeURIComponent(confirm)}`);
  const join = async (organizationId: string, { userId }: Person, role: 'OWNER' | 'MEMBER') =>
    product.services.db
      .insertInto('organization_members')
      .values({ id: uuidv7(), organization_id: organizationId, user_id: userId, role })
      .execute();

  test('is refused to the only owner of an organization, which is named', async () => {
    const owner = await somebody();
    const { organizationId } = await product.project(owner);
    expect(await remove(owner)).toMatchObject({
      status: 409,
      body: {
        code: 'accounts/sole-owner',
        detail: expect.stringContaining('Acme Breeding'),
        details: { organizations: [{ id: organizationId, name: 'Acme Breeding' }] },
      },
    });
    expect((await remove(owner, 'somebody@example.org')).body.code).toBe('accounts/confirmation-mismatch');
  });

  test('of both owners at once leaves one', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await somebody(), await somebody()];
      const { organizationId } = await product.project(one);
      await join(organizationId, two, 'OWNER');
      const answers = await Promise.all([remove(one), remove(two)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  });

  test('leaves what the person created without its creator, and takes all that is personal', async () => {
    const [owner, person] = [await somebody(), await somebody()];
    const project = await product.project(owner);
    await join(project.organizationId, person, 'MEMBER');
    await product.join(project, person, 'MEMBER');
    const file = await product.upload(person, project, { name: 'mine.csv', fileType: null, bytes: 'a,b\n1,2\n' });
    const token = await person.call('POST', '/access_tokens', { name: 'Mine', scopes: ['read'], expires_in_days: 1 });
    expect((await remove(person, person.email.toUpperCase())).status).toBe(204);

    expect((await person.call('GET', '/users/me')).status).toBe(401);
    const byToken = { authorization: `Bearer ${token.body.token}` };
    expect((await product.app.inject({ url: '/api/users/me', headers: byToken })).statusCode).toBe(401);
    expect((await post('/auth/link', { email: person.email })).status).toBe(404);
    expect((await owner.call('GET', `${project.address}/files/${file.id}`)).body).toMatchObject({
      name: 'mine.csv',
      created_by: null,
    });
    const { body } = await owner.call('GET', `/organizations/${project.organizationId}/audit?area=accounts`);
    expect(body.data).toMatchObject([{ action: 'account.deleted', actor: { id: null, email: person.email } }]);
    const rest = await product.services.db
      .selectFrom('audit_events')
      .select('id')
      .where('actor_email', '=', person.email)
      .where('organization_id', 'is', null)
      .execute();
    expect(rest).toEqual([]);
    expect((await mailsTo(person.email))[0]?.subject).toContain('deleted');
    // The address is free again.
    const again = await product.person(person.email.split('@')[0] ?? '');
    expect(again.userId).not.toBe(person.userId);
    expect((await again.call('GET', '/organizations')).body.data).toEqual([]);
  });
});

test('the export holds what is stored about the person, and no secret', async () => {
  const [owner, person] = [await somebody(), await somebody()];
  const project = await product.project(owner);
  await product.join(project, person, 'MEMBER');
  await product.upload(person, project, { name: 'mine.csv', fileType: null, bytes: 'a,b\n1,2\n' });
  await product.upload(owner, project, { name: 'theirs.csv', fileType: null, bytes: 'a,b\n1,2\n' });
  const token = await person.call('POST', '/access_tokens', { name: 'Mine', scopes: ['read'], expires_in_days: 1 });
  const { text, headers } = await person.call('GET', '/users/me/export');
  expect(headers['content-disposition']).toContain('attachment');
  const data = JSON.parse(text);
  expect(data).toMatchObject({
    profile: { email: person.email },
    projects: [{ id: project.projectId, role: 'MEMBER' }],
    access_tokens: [{ name: 'Mine' }],
    created: { files: [{ name: 'mine.csv' }] },
  });
  expect(data.events.map(({ action }: { action: string }) => action)).toEqual([
    'session.started',
    'access-token.created',
    'account.exported',
  ]);
  expect(text).not.toContain('theirs.csv');
  expect(text).not.toMatch(/hash/);
  expect(text).not.toContain(token.body.token);
});
