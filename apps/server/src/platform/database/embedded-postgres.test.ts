import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { isReachable } from './postgres-binaries.ts';

let dataDir: string;
let started: EmbeddedPostgres[];
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'heterosis-pg-')), 'var');
  // The account that runs PostgreSQL must be able to enter it; mkdtemp creates it with mode 700.
  chmodSync(join(dataDir, '..'), 0o755);
  started = [];
});
afterEach(async () => {
  for (const server of started) await server.stop();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  started.push(server);
  return server;
}

async function ask(url: string): Promise<number | undefined> {
  const db = openDatabase({ url, max: 1, onConnectionLost: () => {} });
  try {
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
    return rows[0]?.one;
  } finally {
    await db.destroy();
  }
}

test('simultaneous starts share one server, which stays up until the last of them stops', {
  tags: 'whole',
}, async () => {
  const [first, second] = await Promise.all([start(), start()]);
  expect(first.url).toBe(second.url);
  expect(await ask(first.url)).toBe(1);
  const third = await start();

  for (const one of [second, first]) {
    await one.stop();
    expect(await ask(third.url)).toBe(1);
  }
  await third.stop();
  await expect(ask(third.url)).rejects.toThrow();
});

test('what was written is there after the next start, and a half-made server directory is not taken for one', {
  tags: 'whole',
}, async () => {
  mkdirSync(join(dataDir, 'postgres.new-dead'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.new-dead', 'PG_VERSION'), '18');
  const first = await start();
  const db = openDatabase({ url: first.url, max: 1 });
  await sql`create table kept (id integer)`.execute(db);
  await db.destroy();
  await first.stop();

  const second = await start();
  const again = openDatabase({ url: second.url, max: 1 });
  const { rows } = await sql<{ n: number }>`select count(*) as n from kept`.execute(again);
  await again.destroy();
  expect(rows[0]?.n).toBe(0);
});

function kill(server: EmbeddedPostgres): void {
  process.kill(Number(readFileSync(join(server.directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
}

async function comesBack(server: EmbeddedPostgres): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      expect(await ask(server.url)).toBe(1);
      return;
    } catch (error) {
      if (tries > 150) throw error;
      await sleep(200);
    }
  }
}

test('a server that was killed is started again on the same port', { tags: 'whole' }, async () => {
  const server = await start();
  kill(server);
  await comesBack(server);
});

test('a server that is killed again while it comes back is started again too', { tags: 'whole' }, async () => {
  const server = await start();
  const log = join(server.directory, 'server.log');
  const openings = (): number => readFileSync(log, 'utf8').split('ready to accept connections').length;
  for (let times = 0; times < 10; times++) {
    const before = openings();
    kill(server);
    while (openings() === before) await sleep(2);
    // Into the first questions that it is asked.
    await sleep(5 * times);
  }
  kill(server);
  await comesBack(server);
});

test.runIf(process.getuid?.() === 0)(
  'as root, a data directory below a closed home gets its server elsewhere',
  { tags: 'whole' },
  async () => {
    chmodSync(join(dataDir, '..'), 0o700);
    const server = await start();
    expect(server.directory.startsWith('/var/lib/heterosis/')).toBe(true);
    expect(await ask(server.url)).toBe(1);
    await server.stop();
    rmSync(join(server.directory, '..'), { recursive: true });
  },
);

test('a directory below a closed one cannot be reached by another user', () => {
  const closed = mkdtempSync(join(tmpdir(), 'heterosis-closed-'));
  const stranger = { uid: 54_321, gid: 54_321 };
  expect(isReachable(join(closed, 'file'), stranger)).toBe(false);
  expect(isReachable(join('/usr', 'bin', 'env'), stranger)).toBe(true);
  expect(isReachable(join(closed, 'file'), undefined)).toBe(true);
  rmSync(closed, { recursive: true });
});
