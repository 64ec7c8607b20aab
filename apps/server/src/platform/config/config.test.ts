import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { computeChildEnvironment, loadConfig } from './config.ts';
import { deriveKey, readOrCreateSecret } from './secrets.ts';
import { configurationTable } from './settings.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'heterosis-config-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

test('an empty environment gives a configuration that runs on this machine alone', () => {
  const config = loadConfig({ DATA_DIR });
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: DATA_DIR,
    publicUrl: 'http://127.0.0.1:3000',
    storage: { kind: 'local' },
    mail: { kind: 'outbox' },
    registration: 'open',
    demo: true,
    trustProxy: false,
  });
});

test('with an external database registration needs approval and there is no demo', () => {
  const config = loadConfig({
    DATA_DIR,
    DATABASE_URL: 'postgres://u:p@db:5432/h',
    PUBLIC_URL: 'https://h.example/',
    MAIL: 'smtp',
    SMTP_URL: 'smtp://mail',
  });
  expect(config).toMatchObject({ registration: 'approval', demo: false, publicUrl: 'https://h.example' });
});

test('every wrong setting is named with its reason, and no value is shown', () => {
  const load = () =>
    loadConfig({
      DATA_DIR,
      PORT: 'http',
      REGISTRATION: 'maybe',
      DATABASE_URL: 'mysql://root:geheim@db',
      STORAGE: 's3',
      MAIL: 'smtp',
    });
  expect(load).toThrow(/PORT must be a whole number/);
  expect(load).toThrow(/REGISTRATION must be open or approval/);
  expect(load).toThrow(/DATABASE_URL must be a URL starting with postgres:\/\//);
  expect(load).toThrow(/S3_BUCKET is needed with STORAGE=s3/);
  expect(load).toThrow(/SMTP_URL is needed with MAIL=smtp/);
  expect(load).not.toThrow(/geheim/);
});

test('mails are kept in the outbox of a server that others reach only with a key of ones own', () => {
  const OUTBOX_KEY = 'a key that the operator has chosen, long enough';
  for (const reachable of [
    { HOST: '0.0.0.0' },
    { HOST: '192.168.1.7' },
    { HOST: '::' },
    { PUBLIC_URL: 'http://h.example' },
  ]) {
    expect(() => loadConfig({ DATA_DIR, ...reachable }), JSON.stringify(reachable)).toThrow(/OUTBOX_KEY is needed/);
    expect(loadConfig({ DATA_DIR, ...reachable, OUTBOX_KEY }).mail).toMatchObject({ key: OUTBOX_KEY });
    expect(loadConfig({ DATA_DIR, ...reachable, MAIL: 'smtp', SMTP_URL: 'smtp://mail' }).mail.kind).toBe('smtp');
  }
  for (const local of [{ HOST: '::1' }, { HOST: 'localhost' }, { PUBLIC_URL: 'http://localhost:3000' }]) {
    const { mail } = loadConfig({ DATA_DIR, ...local });
    // Made once: a browser that has it keeps working after a restart.
    expect(mail).toEqual(loadConfig({ DATA_DIR }).mail);
    expect(mail).toMatchObject({ key: expect.stringMatching(/^[\w-]{43}$/) });
  }
});

test('mailed links are switched off only where a provider signs people in', () => {
  expect(() => loadConfig({ DATA_DIR, EMAIL_LINKS: 'off' })).toThrow(/OIDC_ISSUER is needed with EMAIL_LINKS=off/);
  const oidc = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'h', OIDC_CLIENT_SECRET: 's' };
  expect(loadConfig({ DATA_DIR, EMAIL_LINKS: 'off', ...oidc }).signIn.emailLinks).toBe(false);
  const firebase = { AUTH_PROVIDER: 'firebase', FIREBASE_PROJECT_ID: 'p', FIREBASE_API_KEY: 'k' };
  expect(() => loadConfig({ DATA_DIR, EMAIL_LINKS: 'off', ...oidc, ...firebase })).toThrow(/cannot be off/);
});

test('proxies are believed by address, network or name of a private network', () => {
  const trusted = (TRUST_PROXY: string) => loadConfig({ DATA_DIR, TRUST_PROXY }).trustProxy;
  expect(trusted('10.0.0.0/8, ::1,loopback')).toEqual(['10.0.0.0/8', '::1', 'loopback']);
  for (const wrong of ['banana', '10.0.0.0/33', '10.0.0.1,,', 'true', '10.0.0.0/8/8'])
    expect(() => trusted(wrong), wrong).toThrow(/TRUST_PROXY must be addresses or networks/);
});

test('private networks that may be called are addresses or networks, and no names', () => {
  const allowed = (OUTGOING_NETWORKS: string) => loadConfig({ DATA_DIR, OUTGOING_NETWORKS }).outgoingNetworks;
  expect(allowed('')).toEqual([]);
  expect(allowed('10.0.0.0/8, 192.168.1.7,::1')).toEqual(['10.0.0.0/8', '192.168.1.7/32', '::1/128']);
  for (const wrong of ['loopback', 'banana', '10.0.0.0/33'])
    expect(() => allowed(wrong), wrong).toThrow(/OUTGOING_NETWORKS must be addresses or networks/);
});

test('prices are checked at the start, and Stripe needs its keys', () => {
  const billing = (settings: Record<string, string>) => loadConfig({ DATA_DIR, ...settings }).billing;
  expect(billing({})).toMatchObject({ kind: 'offline', freeSeats: 10, prices: [{ unit_amount: 12_000 }] });
  const list = '[{"id":"a","nickname":"A","unit_amount":500,"currency":"EUR","features":["x"]}]';
  expect(billing({ BILLING_PRICES: list, BILLING_CONTACT: 'mailto:sales@example.org' })).toMatchObject({
    prices: [{ id: 'a', unit_amount: 500, currency: 'eur', metadata: { notes: null, features: ['x'] } }],
    contact: 'mailto:sales@example.org',
  });
  for (const wrong of ['[]', '{', '[{"id":"a"}]', '[{"id":"a","nickname":"A","unit_amount":-1}]'])
    expect(() => billing({ BILLING_PRICES: wrong }), wrong).toThrow(/BILLING_PRICES must be a JSON list/);
  const twice = `[${list.slice(1, -1)},${list.slice(1, -1)}]`;
  expect(() => billing({ BILLING_PRICES: twice })).toThrow(/each price its own id/);
  expect(() => billing({ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_live_geheim' })).toThrow(
    /STRIPE_PUBLISHABLE_KEY is needed with BILLING=stripe\n.*STRIPE_WEBHOOK_SECRET is needed/,
  );
  const keys = { STRIPE_SECRET_KEY: 's', STRIPE_PUBLISHABLE_KEY: 'p', STRIPE_WEBHOOK_SECRET: 'w' };
  expect(billing({ BILLING: 'stripe', ...keys })).toMatchObject({ kind: 'stripe', freeSeats: 1, webhookSecret: 'w' });
});

test('a setting that is empty counts as not set', () => {
  expect(loadConfig({ DATA_DIR, PORT: ' ', S3_BUCKET: '' }).port).toBe(3000);
  expect(() => loadConfig({ DATA_DIR, STORAGE: 's3', S3_BUCKET: '  ' })).toThrow(/S3_BUCKET is needed/);
});

test('the mailbox that a login leaves in MAIL is no setting of ours', () => {
  expect(loadConfig({ DATA_DIR, MAIL: '/var/mail/ada' }).mail.kind).toBe('outbox');
  expect(() => loadConfig({ DATA_DIR, MAIL: 'sendmail' })).toThrow(/MAIL must be outbox or smtp/);
});

test('the secret key is made once, readable by nobody else', () => {
  const first = loadConfig({ DATA_DIR }).secretKey;
  expect(loadConfig({ DATA_DIR }).secretKey).toBe(first);
  expect(first.length).toBeGreaterThanOrEqual(32);
  const path = join(DATA_DIR, 'secrets', 'secret-key');
  expect(readFileSync(path, 'utf8')).toBe(first);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadConfig({ DATA_DIR, SECRET_KEY: 'x'.repeat(40) }).secretKey).toBe('x'.repeat(40));
});

test('secrets and derived keys differ by name and purpose', () => {
  expect(readOrCreateSecret(DATA_DIR, 'one')).not.toBe(readOrCreateSecret(DATA_DIR, 'two'));
  expect(deriveKey('secret', 'a').equals(deriveKey('secret', 'b'))).toBe(false);
  expect(deriveKey('secret', 'a').equals(deriveKey('secret', 'a'))).toBe(true);
});

test('the table of settings has a row for every setting', () => {
  const table = configurationTable();
  for (const name of ['HOST', 'DATABASE_URL', 'S3_BUCKET', 'SMTP_URL', 'MAX_UPLOAD_BYTES'])
    expect(table).toContain(`| \`${name}\` |`);
});

test('a compute process sees where programs are and no secret', () => {
  const environment = computeChildEnvironment({ PATH: '/bin', SECRET_KEY: 's', DATABASE_URL: 'd', SMTP_URL: 'm' });
  expect(environment).toEqual({ PATH: '/bin' });
});

test('a compute process takes over what Node has compiled already', () => {
  const environment = computeChildEnvironment({ NODE_COMPILE_CACHE: 'node_modules/.cache/node' });
  expect(environment).toEqual({ NODE_COMPILE_CACHE: 'node_modules/.cache/node' });
});

test('a data directory where none can be made stops the start with the reason, and does not hang', () => {
  if (process.platform !== 'linux') return;
  expect(() => loadConfig({ DATA_DIR: '/proc/1/heterosis/var' })).toThrow(
    /DATA_DIR: no directory can be made at \/proc\/1\/heterosis \(ENOENT\)\. Choose another\./,
  );
  const below = join(DATA_DIR, 'made', 'with', 'parents');
  expect(statSync(loadConfig({ DATA_DIR: below }).dataDir).isDirectory()).toBe(true);
  expect(() => loadConfig({ DATA_DIR: join(below, 'secrets', 'secret-key', 'deeper') })).toThrow(/EEXIST/);
});
