import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepPublicUrl } from '../entrypoints/public-address.ts';
import {
  ensureUser,
  findLatestRegistration,
  findUserByEmail,
  insertPendingRegistration,
  listRegistrations,
} from '../features/people/accounts/index.ts';
import { computeChildEnvironment } from '../platform/config/config.ts';
import { type Person, type Product, startProduct } from '../testing/product.ts';
import { runAdmin } from './run-admin.ts';

const outboxKey = 'opens-the-outbox-of-admin-tests-'.repeat(2);
/** Where the server says that it runs; the commands are not told. */
const SERVER = 'https://breeding.example.org';

const ENTRY = join(import.meta.dirname, '../entrypoints/admin.ts');

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command in this process: most of what a process costs is its start. */
async function run(environment: Record<string, string>, args: string[]): Promise<Answer> {
  const answer = { stdout: '', stderr: '' };
  const code = await runAdmin(args, {
    environment,
    print: (text) => {
      answer.stdout += text;
    },
    printError: (text) => {
      answer.stderr += text;
    },
  });
  return { code, ...answer };
}

/** Runs it as `npm run admin` does. */
function runProcess(environment: Record<string, string>, args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [ENTRY, ...args],
      { env: { ...computeChildEnvironment(), ...environment } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

let product: Product;
let member: Person;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'heterosis-admin-'));
  chmodSync(home, 0o755);
  product = await startProduct({ withWorker: false, changes: { registration: 'approval' } });
  member = await product.person('mia');
  await keepPublicUrl(product.services.db, SERVER);
});
afterAll(async () => {
  await product.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs as if on another machine: it shares only the database and the secret with the server. */
const admin = (...args: string[]): Promise<Answer> =>
  run({ DATABASE_URL: product.databaseUrl, SECRET_KEY: product.services.config.secretKey, DATA_DIR: home }, args);

const problemCodes = ({ stderr }: Answer): string[] =>
  stderr
    .trim()
    .split('\n')
    .map((line) => line.split(':', 1)[0] ?? '');

const auditOf = (action: string) =>
  product.services.db
    .selectFrom('audit_events')
    .select(['actor_email', 'details', 'target_id'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();

const mailsTo = (email: string) =>
  product.services.db.selectFrom('mail_outbox').select(['subject', 'text', 'link']).where('to', '=', email).execute();

async function exchange(payload: object) {
  return product.app.inject({ method: 'POST', url: '/api/auth/token', payload });
}

test('a request is listed, approved, and its person signs in with the mailed link', async () => {
  const signup = await product.app.inject({
    method: 'POST',
    url: '/api/signup',
    payload: { email: 'Nora@example.org' },
  });
  expect(signup.json()).toEqual({ status: 'requested' });
  expect((await admin('registrations', 'list')).stdout).toMatch(/^nora@example\.org +PENDING /m);

  const approved = await admin('registrations', 'approve', 'Nora@Example.org', '--json');
  expect(approved.code).toBe(0);
  expect(JSON.parse(approved.stdout)).toEqual({
    registrations: [{ email: 'nora@example.org', outcome: 'approved', mailed: true }],
  });
  expect((await admin('registrations', 'list')).stdout).toBe('There are no pending requests for an account.\n');

  const [mail] = await mailsTo('nora@example.org');
  expect(mail?.subject).toBe('Your Heterosis account is ready');
  const code = new URL(mail?.link ?? '').searchParams.get('code');
  const signIn = await exchange({ grant_type: 'email_link', code });
  expect(signIn.json()).toMatchObject({ user: { email: 'nora@example.org', emailVerified: true } });
  const user = await findUserByEmail(product.services.db, 'nora@example.org');
  expect(await auditOf('registration.approved')).toEqual([
    { actor_email: expect.stringContaining('@'), details: { email: 'nora@example.org' }, target_id: user?.id },
  ]);
});

test('approving again changes nothing and mails nobody', async () => {
  const again = await admin('registrations', 'approve', 'nora@example.org');
  expect(again).toMatchObject({ code: 0, stdout: 'nora@example.org has an account already; nothing changed\n' });
  expect(await mailsTo('nora@example.org')).toHaveLength(1);
});

test('when one of several addresses never asked, it is named and none is approved', async () => {
  const { db } = product.services;
  await insertPendingRegistration(db, 'omar@example.org');
  const answer = await admin('registrations', 'approve', 'omar@example.org', 'omra@example.org', 'onar@example.org');
  expect(answer.code).toBe(2);
  expect(answer.stdout).toBe('');
  expect(problemCodes(answer)).toEqual(['admin/no-request', 'admin/no-request']);
  expect(answer.stderr).toContain('omra@example.org has not asked for an account.');
  expect((await findLatestRegistration(db, 'omar@example.org'))?.status).toBe('PENDING');
  expect(await findUserByEmail(db, 'omar@example.org')).toBeUndefined();
});

test('a rejection gives its reason by mail and in the audit trail, and can be overturned', async () => {
  const { db } = product.services;
  await insertPendingRegistration(db, 'rita@example.org');
  const reason = 'Please write from the address of your institute.';
  const rejected = await admin('registrations', 'reject', 'rita@example.org', '--reason', reason);
  expect(rejected).toMatchObject({ code: 0, stdout: 'rita@example.org is rejected\n' });
  const [mail] = await mailsTo('rita@example.org');
  expect(mail?.text).toContain(reason);
  expect(await auditOf('registration.rejected')).toMatchObject([{ details: { email: 'rita@example.org', reason } }]);
  expect((await admin('registrations', 'list', '--status', 'rejected')).stdout).toContain('rita@example.org');

  expect((await admin('registrations', 'approve', 'rita@example.org')).stdout).toBe('rita@example.org is approved\n');
  expect((await listRegistrations(db)).filter(({ email }) => email === 'rita@example.org')).toMatchObject([
    { status: 'APPROVED' },
    { status: 'REJECTED' },
  ]);
  const refused = await admin('registrations', 'reject', 'rita@example.org');
  expect(refused.code).toBe(2);
  expect(problemCodes(refused)).toEqual(['admin/has-account']);
});

test('a mail server that does not answer leaves the decision standing and says so', async () => {
  const { db, config } = product.services;
  await insertPendingRegistration(db, 'uma@example.org');
  const answer = await run(
    {
      DATABASE_URL: product.databaseUrl,
      SECRET_KEY: config.secretKey,
      DATA_DIR: home,
      MAIL: 'smtp',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
    ['registrations', 'approve', 'uma@example.org', '--json'],
  );
  expect(answer.code).toBe(1);
  expect(JSON.parse(answer.stdout)).toEqual({
    registrations: [{ email: 'uma@example.org', outcome: 'approved', mailed: false }],
  });
  expect(JSON.parse(answer.stderr)).toMatchObject({ code: 'admin/mail-not-sent' });
  expect(await findUserByEmail(db, 'uma@example.org')).toBeDefined();
});

test('a custom token signs its user in, is noted, and is made for nobody else', async () => {
  const answer = await admin('custom-token', 'mia@example.org', '--json');
  const { token, user } = JSON.parse(answer.stdout);
  expect(user).toEqual({ id: member.userId, email: 'mia@example.org' });
  const signIn = await exchange({ grant_type: 'custom_token', token });
  expect(signIn.json()).toMatchObject({ user: { uid: member.userId } });
  expect(await auditOf('custom-token.created')).toMatchObject([{ target_id: member.userId }]);

  const unknown = await admin('custom-token', 'nobody@example.org');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(problemCodes(unknown)).toEqual(['admin/no-account']);
  const { id } = await ensureUser(product.services.db, 'gone@example.org');
  await product.services.db
    .updateTable('users')
    .set({ disabled_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute();
  expect(problemCodes(await admin('custom-token', 'gone@example.org'))).toEqual(['admin/account-disabled']);
});

test('operators are added and removed, and do at the console what their pages do', async () => {
  expect((await admin('operators', 'add', 'mia@example.org')).stdout).toBe('mia@example.org is an operator now\n');
  expect((await member.call('GET', '/users/me')).body.is_operator).toBe(true);
  const project = await product.project(member);
  const quotas = await admin('organizations', 'quotas', project.organizationId, '--storage', '1000', '--json');
  expect(JSON.parse(quotas.stdout).organization).toMatchObject({ storage_quota_bytes: 1000, run_quota: null });
  expect((await admin('organizations', 'list')).stdout).toMatch(/Acme Breeding +1\/10 +0 +1000 +0 +no limit/);
  expect((await admin('operators', 'remove', 'mia@example.org')).stdout).toContain('no operator any more');
  expect((await admin('audit', 'list')).stdout).toMatch(/operator\.removed[^]*organization\.quotas-changed/);
  const unknown = await admin('runs', 'retry', project.projectId);
  expect([unknown.code, problemCodes(unknown)]).toEqual([2, ['request/not-found']]);
});

test('keys are rotated and listed; a wrong SECRET_KEY cannot put in a key that no server can open', async () => {
  const before = JSON.parse((await admin('keys', 'list', '--json')).stdout).keys;
  expect(before).toMatchObject([{ retired_at: null, verifies_until: null }]);
  const wrong = await run(
    { DATABASE_URL: product.databaseUrl, SECRET_KEY: 'another secret key of forty characters!!', DATA_DIR: home },
    ['keys', 'rotate'],
  );
  expect(wrong.code).toBe(2);
  expect(problemCodes(wrong)).toEqual(['admin/wrong-secret-key']);
  expect(JSON.parse((await admin('keys', 'list', '--json')).stdout).keys).toEqual(before);

  const { key } = JSON.parse((await admin('keys', 'rotate', '--json')).stdout);
  const rotated = JSON.parse((await admin('keys', 'list', '--json')).stdout).keys;
  expect(rotated).toMatchObject([
    { id: key, retired_at: null },
    { id: before[0].id, verifies_until: expect.any(String) },
  ]);
  await admin('keys', 'rotate', '--revoke');
  expect(JSON.parse((await admin('keys', 'list', '--json')).stdout).keys).toHaveLength(1);
  expect(await auditOf('signing-keys.rotated')).toMatchObject([
    { details: { revoked: false } },
    { details: { revoked: true } },
  ]);
});

test.each([
  [[], 0],
  [['--help'], 0],
  [['keys', 'rotate', '--help'], 0],
])('%j shows the manual page', async (args, code) => {
  const answer = await run({}, args);
  expect(answer).toMatchObject({ code, stderr: '' });
  for (const section of ['NAME', 'SYNOPSIS', 'COMMANDS', 'OPTIONS', 'EXIT STATUS', 'EXAMPLES'])
    expect(answer.stdout).toContain(`${section}\n`);
});

test.each([
  [['registrations'], 'admin/usage'],
  [['registration', 'list'], 'admin/usage'],
  [['registrations', 'approve'], 'admin/usage'],
  [['registrations', 'list', '--status', 'open'], 'admin/usage'],
  [['registrations', 'reject', 'a@example.org', '--reason', ' '], 'admin/usage'],
  [['keys', 'list', '--revoke'], 'admin/usage'],
  [['organizations', 'quotas', 'x', '--runs', 'many'], 'admin/usage'],
  [['keys', 'list', 'a@example.org'], 'admin/usage'],
  [['custom-token', 'a@example.org', 'b@example.org'], 'admin/usage'],
  [['custom-token', 'a@example.org', '--for', 'b'], 'admin/usage'],
  [['custom-token', 'a example.org'], 'admin/invalid-email'],
])('%j is bad input: %s', async (args, code) => {
  const answer = await run({ DATA_DIR: home }, args);
  expect(answer).toMatchObject({ code: 2, stdout: '' });
  expect(problemCodes(answer)).toEqual([code]);
});

test('the process writes its result and its errors apart, and ends with the code', async () => {
  const answer = await runProcess({ DATA_DIR: home }, ['keys', 'list', 'a@example.org']);
  expect(answer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('admin/usage') });
  expect(await runProcess({ DATA_DIR: home }, ['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('SYNOPSIS\n'),
    stderr: '',
  });
});

test('where there is no database, or one without our tables, or a wrong setting, that is said and nothing is made', async () => {
  const empty = join(home, 'empty');
  const none = await run({ DATA_DIR: empty }, ['keys', 'list']);
  expect(none.code).toBe(2);
  expect(problemCodes(none)).toEqual(['admin/no-database']);
  expect(existsSync(join(empty, 'postgres'))).toBe(false);

  const other = new URL(product.databaseUrl);
  other.pathname = '/postgres';
  expect(problemCodes(await run({ DATABASE_URL: other.href, DATA_DIR: home }, ['keys', 'list']))).toEqual([
    'admin/database-not-ready',
  ]);
  const wrong = await run({ DATA_DIR: home, PORT: 'http' }, ['keys', 'list']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^admin\/configuration: [^]*PORT must be/) });
  const nowhere = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c', DATABASE_WAIT_SECONDS: '0' };
  const away = await run({ ...nowhere, DATA_DIR: home }, ['keys', 'list']);
  expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('The database cannot be reached') });
});

test('nothing is mailed before a server has said where it runs', async () => {
  await product.services.db.deleteFrom('installation').execute();
  await insertPendingRegistration(product.services.db, 'early@example.org');
  const refused = await admin('registrations', 'approve', 'early@example.org');
  expect([refused.code, problemCodes(refused)]).toEqual([2, ['admin/no-server-address']]);
  expect(await findUserByEmail(product.services.db, 'early@example.org')).toBeUndefined();
  await keepPublicUrl(product.services.db, SERVER);
  expect((await admin('registrations', 'approve', 'early@example.org')).code).toBe(0);
  const [mail] = await mailsTo('early@example.org');
  expect(mail?.link).toMatch(new RegExp(`^${SERVER}/signin\\?code=`));
});

test('with the embedded database it works beside the running server and after its end, and leaves nothing running', {
  tags: 'whole',
}, async () => {
  const environment = {
    DATA_DIR: join(home, 'var'),
    PORT: '0',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    REGISTRATION: 'approval',
    OUTBOX_KEY: outboxKey,
  };
  const server = spawn(process.execPath, [join(import.meta.dirname, '../entrypoints/all-in-one.ts')], {
    env: { ...computeChildEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    let address: string | undefined;
    while (address === undefined) {
      address = /ready: (http:\S+)/.exec(output)?.[1];
      if (server.exitCode !== null) throw new Error(output);
      await sleep(50);
    }
    await fetch(`${address}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'first@example.org' }),
    });
    expect((await runProcess(environment, ['registrations', 'approve', 'first@example.org'])).code).toBe(0);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const { data } = (await (await fetch(`${address}/api/dev/outbox?key=${outboxKey}`)).json()) as {
      data: { to: string; link: string }[];
    };
    // The server chose its port; this shell does not know it.
    expect(data).toMatchObject([
      { to: 'first@example.org', link: expect.stringMatching(new RegExp(`^${address}/signin\\?code=`)) },
    ]);
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
  const pidFile = join(home, 'var', 'postgres', 'postmaster.pid');
  expect(existsSync(pidFile)).toBe(false);
  const listed = await runProcess(environment, ['registrations', 'list', '--status', 'approved']);
  expect(listed.stdout).toContain('first@example.org');
  expect(existsSync(pidFile)).toBe(false);
});
