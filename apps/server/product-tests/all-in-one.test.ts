import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeChildEnvironment } from '../src/platform/config/config.ts';
import { createTestDatabase } from '../src/platform/database/testing.ts';

const ENTRY = join(import.meta.dirname, '../src/entrypoints/all-in-one.ts');

let home: string;
const running: ChildProcess[] = [];
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'heterosis-start-'));
  chmodSync(home, 0o755);
});
afterAll(async () => {
  for (const child of running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  output: () => string;
}

/** `through`: a command, with options, that starts the product. */
function launch(environment: Record<string, string>, entry = ENTRY, through: string[] = []): Started {
  const [command = process.execPath, ...args] = [...through, process.execPath, entry];
  const child = spawn(command, args, {
    env: {
      ...computeChildEnvironment(),
      DATA_DIR: join(home, 'var'),
      PORT: '0',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { child, output: () => output };
}

async function addressOf({ child, output }: Started): Promise<string> {
  for (;;) {
    const address = /ready: (http:\S+)/.exec(output())?.[1];
    if (address !== undefined) return address;
    if (child.exitCode !== null) throw new Error(`it ended: ${output()}`);
    await sleep(20);
  }
}

async function stop({ child }: Started): Promise<number | null> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function statusOf(address: string): Promise<number> {
  return fetch(`${address}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
}

const isDatabaseRunning = (name: string): boolean => existsSync(join(home, name, 'postgres', 'postmaster.pid'));

test('one command brings up everything in an empty directory, says where it is, keeps it up and leaves nothing running', async () => {
  const first = launch({});
  const address = await addressOf(first);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await statusOf(address)).toBe(200);
  expect((await fetch(`${address}/api/openapi.json`)).status).toBe(200);
  await expect.poll(first.output).toContain('/dev/outbox?key=');
  const [outbox = ''] = /http:\S+outbox\?key=\S+/.exec(first.output()) ?? [];
  expect((await fetch(outbox.replace('/dev/', '/api/dev/'))).status).toBe(200);

  expect(await stop(first)).toBe(0);
  expect(isDatabaseRunning('var')).toBe(false);

  // Again, on what the first one left. A PostgreSQL that is killed under the running server comes back by itself.
  const second = launch({});
  const again = await addressOf(second);
  expect(await statusOf(again)).toBe(200);
  const pid = Number(readFileSync(join(home, 'var', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => statusOf(again), { interval: 100 }).toBe(503);
  await expect.poll(() => statusOf(again), { interval: 200 }).toBe(200);
  // Ctrl-C arrives twice under npm and still ends it cleanly.
  second.child.kill('SIGINT');
  second.child.kill('SIGINT');
  await once(second.child, 'exit');
  expect(second.child.exitCode).toBe(0);
  expect(isDatabaseRunning('var')).toBe(false);
  // Two starts, and a PostgreSQL that starts again.
});

test('Ctrl-C while the database is being made leaves none behind, and the next start makes it', {
  tags: 'whole',
}, async () => {
  const interrupted = launch({ DATA_DIR: join(home, 'fresh') });
  await expect.poll(() => existsSync(join(home, 'fresh', 'secrets', 'postgres-password'))).toBe(true);
  interrupted.child.kill('SIGINT');
  await once(interrupted.child, 'exit');
  expect(isDatabaseRunning('fresh')).toBe(false);

  const next = launch({ DATA_DIR: join(home, 'fresh') });
  expect(await statusOf(await addressOf(next))).toBe(200);
  expect(await stop(next)).toBe(0);
});

test('a start that is killed leaves what the next start can go on with', {
  tags: 'whole',
}, async () => {
  const killed = launch({ DATA_DIR: join(home, 'killed') });
  await expect.poll(() => isDatabaseRunning('killed'), { interval: 10 }).toBe(true);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');

  const next = launch({ DATA_DIR: join(home, 'killed') });
  expect(await statusOf(await addressOf(next))).toBe(200);
  expect(await stop(next)).toBe(0);
  expect(isDatabaseRunning('killed')).toBe(false);
});

/** The output of a start that must fail. */
async function refusal(environment: Record<string, string>, entry = ENTRY, through: string[] = []): Promise<string> {
  const started = launch(environment, entry, through);
  if (started.child.exitCode === null) await once(started.child, 'close');
  expect(started.child.exitCode).toBe(1);
  expect(started.output()).not.toContain('    at ');
  return started.output();
}

test('what stops a start is said in a sentence, with what to do', { tags: 'whole' }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(await refusal({ PORT: String(port) })).toMatch(`Port ${port} is in use. Stop what listens there, or choose`);
  taken.close();
  expect(isDatabaseRunning('var')).toBe(false);

  writeFileSync(join(home, 'file'), '');
  expect(await refusal({ DATA_DIR: join(home, 'file') })).toContain('is not a directory, or lies below a file. Choose');
  const elsewhere = { HOST: '198.51.100.7', OUTBOX_KEY: 'k'.repeat(32) };
  expect(await refusal(elsewhere)).toContain('HOST=198.51.100.7 is not an address of this machine');
  const nowhere = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c', DATABASE_WAIT_SECONDS: '0' };
  expect(await refusal(nowhere)).toContain('The database cannot be reached');
});

test('API and worker wait for a database that comes later, and say so', { tags: 'whole' }, async () => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  // The database behind a port that opens only after both have been refused.
  const door = createServer((socket) => {
    const through = connect(Number(port), hostname);
    for (const one of [socket, through]) one.on('error', () => {});
    socket.pipe(through).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = new URL(database.url);
  url.port = String((door.address() as AddressInfo).port);
  door.close();
  await once(door, 'close');
  const [api, worker] = ['api.ts', 'worker.ts'].map((entry) =>
    launch({ DATABASE_URL: url.href }, join(import.meta.dirname, '../src/entrypoints', entry)),
  ) as [Started, Started];
  for (const { output } of [api, worker])
    await expect.poll(output).toMatch(/Waiting for the database, up to 60 s \(.*ECONNREFUSED/);
  door.listen(Number(url.port), '127.0.0.1');
  await expect.poll(api.output).toContain('Heterosis API at http');
  await expect.poll(worker.output).toContain('Heterosis worker ready');
  expect(await Promise.all([api, worker].map((one) => stop(one)))).toEqual([0, 0]);
  door.close();
  await database.close();
});

test('a data directory of somebody else is named', async () => {
  const closed = join(home, 'closed');
  mkdirSync(closed, { mode: 0o555 });
  // Root can write everywhere unless it drops that capability.
  const asOthers = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
  const said = await refusal({ DATA_DIR: join(closed, 'var') }, ENTRY, asOthers);
  expect(said).toContain('cannot be read or written by this user');
});

test('servers that start at the same moment on an empty database share it, its queue and its keys', {
  tags: 'whole',
}, async () => {
  const database = await createTestDatabase();
  const name = `test_${process.pid}_starts`;
  await sql.raw(`create database ${name}`).execute(database.db);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const shared = { DATABASE_URL: url.href, DATA_DIR: join(home, 'shared'), SECRET_KEY: 'k'.repeat(40) };
  const servers = [launch(shared), launch(shared), launch(shared)];
  try {
    const addresses = await Promise.all(servers.map((server) => addressOf(server)));
    expect(await Promise.all(addresses.map((address) => statusOf(address)))).toEqual([200, 200, 200]);
    const keys = await Promise.all(
      addresses.map(async (address) => (await fetch(`${address}/.well-known/jwks.json`)).text()),
    );
    expect(JSON.parse(keys[0] ?? '').keys).toHaveLength(1);
    expect(new Set(keys)).toHaveProperty('size', 1);
    for (const { output } of servers) expect(output()).not.toMatch(/"level":"(error|fatal)"/);
  } finally {
    expect(await Promise.all(servers.map((server) => stop(server)))).toEqual([0, 0, 0]);
    await sql.raw(`drop database ${name} with (force)`).execute(database.db);
    await database.close();
  }
});

test('API and worker refuse a database that is not up to date', { tags: 'whole' }, async () => {
  const { url, close } = await createTestDatabase();
  const other = new URL(url);
  other.pathname = '/postgres';
  for (const entry of ['api.ts', 'worker.ts'])
    expect(await refusal({ DATABASE_URL: other.href }, join(import.meta.dirname, '../src/entrypoints', entry))).toMatch(
      /The database is not up to date: \d+ migrations have not run\. Run first: .*migrate\.ts/,
    );
  await close();
});

test('a wrong setting stops the start with its name and reason and without a stack', async () => {
  const started = launch({ PORT: 'eighty' });
  if (started.child.exitCode === null) await once(started.child, 'exit');
  expect(started.child.exitCode).toBe(1);
  await expect.poll(started.output).toContain('PORT must be a whole number');
  expect(started.output()).not.toContain('at ');
});
