import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/platform/logging/logger.ts';
import { type Product, put, SMALL_VCF, startProduct } from '../src/testing/product.ts';

let product: Product;
let lines: string[];

const collect = (into: string[]): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      into.push(chunk.toString());
      done();
    },
  });

beforeAll(async () => {
  lines = [];
  product = await startProduct({ log: collect(lines) });
});
afterAll(() => product.close());

const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, token?: string) => {
  const answer = await product.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload }),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
};

test('whoever signs in, uploads, fails and signs out leaves no secret and no address in the log', async () => {
  const email = 'private.person@example.org';
  expect((await ask('POST', '/api/signup', { email })).status).toBeLessThan(300);
  await ask('POST', '/api/auth/link', { email });
  const { rows } = await sql<{
    text: string;
  }>`select text from mail_outbox where "to" = ${email} order by id`.execute(product.services.db);
  const codes = rows.flatMap(({ text }) => /[?&]code=([\w-]+)/.exec(text)?.[1] ?? []);
  expect(codes.length).toBeGreaterThan(0);
  const code = codes.at(-1);
  const signIn = await ask('POST', '/api/auth/token', { grant_type: 'email_link', code });
  expect(signIn.status).toBe(200);
  const { access_token: token, refresh_token } = signIn.body;
  const refreshed = await ask('POST', '/api/auth/token', { grant_type: 'refresh_token', refresh_token });

  const personal = await ask('POST', '/api/access_tokens', { name: 'S', scopes: ['read'], expires_in_days: 1 }, token);
  const secret: string = personal.body.token;
  expect((await ask('GET', '/api/users/me', undefined, secret)).status).toBe(200);

  // Failures are logged in more detail.
  await ask('POST', '/api/auth/token', { grant_type: 'email_link', code });
  await ask('POST', '/api/auth/token', { grant_type: 'refresh_token', refresh_token, code, password: secret });
  await ask('GET', `/api/users/me?access_token=${token}&code=${code}`, undefined, token);
  await ask('GET', '/api/users/me', undefined, `${token}x`);
  await ask('POST', '/api/auth/link', { email: `${email}, ${email}` });
  const unknown = await ask('POST', '/api/auth/link', { email: 'private.person@elsewhere.example' });
  expect(unknown.body.code).toBe('auth/user-not-found');
  await ask('POST', '/api/access_tokens', { name: 'S', scopes: ['write'], expires_in_days: 1 }, secret);

  const owner = await product.person('private.person');
  const project = await product.project(owner);
  const upload = { file_type: 'GENOTYPE', content_type: 'text/plain', size_bytes: SMALL_VCF.length };
  const link = await owner.call('POST', `${project.address}/files/upload_link`, upload);
  const signature = new URL(link.body.put_url).searchParams.get('signature') ?? '';
  expect(signature.length).toBeGreaterThan(20);
  await put(product.app, link.body.put_url.replace(/.$/, '-'), Buffer.from(SMALL_VCF));
  await put(product.app, link.body.put_url, Buffer.from(SMALL_VCF));
  const checked = await product.uploadChecked(owner, project, {
    name: 'x.vcf',
    fileType: 'GENOTYPE',
    bytes: SMALL_VCF,
  });
  expect(checked.status).toMatch(/^READY/);
  const run = await owner.call('POST', `${project.address}/parentage_checks`, { name: 'P', genotype_id: checked.id });
  const about = { entity_kind: 'parentage_check', entity_id: run.body.id };
  const shared = await owner.call('POST', `${project.address}/share_links`, about);
  const held = new URL(shared.body.url).hash.slice(1);
  expect((await ask('POST', '/api/shared', { token: held })).status).toBe(200);
  expect((await ask('POST', '/api/shared', { token: `${held}x` })).status).toBe(404);
  expect((await ask('POST', '/api/shared', { token: held, page: 'A4' })).status).toBe(400);
  expect((await ask('GET', `/api/shared?token=${held}`)).status).toBe(404);
  expect((await ask('DELETE', '/api/auth/session', undefined, refreshed.body.access_token)).status).toBe(204);

  // The worker tells the end of its job after the file has its state.
  await expect.poll(() => lines.join('')).toContain('job done');
  const log = lines.join('');
  for (const expected of ['/api/auth/token', '/api/auth/session', '/api/storage/', 'job done', 'computed'])
    expect(log).toContain(expected);
  const secrets = {
    token,
    held,
    refresh_token,
    again: refreshed.body.access_token,
    secret,
    signature,
    session: owner.token,
  };
  for (const [name, value] of [...Object.entries(secrets), ...codes.map((one) => ['code', one] as const)])
    expect(log.includes(value as string), name).toBe(false);
  expect(lines.filter((line) => line.includes('private.person'))).toEqual([]);
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({
      level: expect.stringMatching(/^[a-z]+$/),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      msg: expect.any(String),
    });
});

test('a request is found in the log by the id that its answer had', async () => {
  const answer = await product.app.inject({ url: '/api/users/me', headers: { 'x-request-id': 'from-the-proxy-1' } });
  expect([answer.headers['x-request-id'], answer.json().request_id]).toEqual(['from-the-proxy-1', 'from-the-proxy-1']);
  expect(lines.filter((line) => line.includes('from-the-proxy-1')).length).toBeGreaterThan(0);
  const forged = await product.app.inject({ url: '/api/users/me', headers: { 'x-request-id': 'a"b\n{}' } });
  expect(forged.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('what is secret is hidden in whatever is logged, and codes of errors are not', () => {
  const own: string[] = [];
  const logger = createLogger({ log: { level: 'info', format: 'json' } }, collect(own));
  const error = Object.assign(new Error('disk'), { code: 'ENOSPC' });
  const body = { code: 'link-code', refresh_token: 'refresh', password: 'word' };
  logger.error({ err: error, body, request: { body, headers: { authorization: 'Bearer abc', cookie: 'c=1' } } }, 'no');
  const line = own.join('');
  expect(line).toContain('ENOSPC');
  for (const secret of ['link-code', '"refresh"', '"word"', 'Bearer abc', 'c=1']) expect(line).not.toContain(secret);
});
