import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { isProcessAlive, processIdentity, withProcessLock } from '../processes/process-lock.ts';
import { type Database, openDatabase } from './database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { MIGRATIONS_DIRECTORY, migrateToLatest } from './migrate.ts';

/** One PostgreSQL for all test processes of this checkout, without durability: its data are disposable. */
const TEST_DIRECTORY = resolve(import.meta.dirname, '../../../../../node_modules/.cache/heterosis-test-postgres');
const USERS_DIRECTORY = join(TEST_DIRECTORY, 'users');
const LOCK = join(TEST_DIRECTORY, 'users.lock');
const LOCK_TIMEOUT_MS = 120_000;

/** Another version of the queue may create other tables. */
const QUEUE_VERSION = JSON.stringify(
  (createRequire(import.meta.url)('../../../package.json') as { dependencies: Record<string, string> }).dependencies[
    'pg-boss'
  ],
);

const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The tables are small and do not live long.
  max_parallel_workers_per_gather: '0',
  autovacuum_naptime: '1d',
};

export interface TestDatabase {
  db: Database;
  /** Connection string, for a second client, a process or the job queue. */
  url: string;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}

/**
 * A fresh, migrated database of its own, cloned from a template in a few dozen milliseconds. The server is started on
 * the first call and left running for the other test processes; `testing.global-setup.ts` stops it when the last run
 * ends.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await testServer();
  const template = await ensureTemplate(server.url);
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`;
  await administer(server.url, async (client) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  const url = withDatabase(server.url, name);
  const db = openDatabase({ url, max: 10, onConnectionLost: () => {} });
  return {
    db,
    url,
    async close() {
      await db.destroy();
      await administer(server.url, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      });
    },
  };
}

/** Keeps the server running for this process until {@link releaseTestServer}. */
export async function claimTestServer(): Promise<void> {
  await withProcessLock(LOCK, LOCK_TIMEOUT_MS, async () => writeClaim());
}

function writeClaim(): void {
  mkdirSync(USERS_DIRECTORY, { recursive: true });
  writeFileSync(join(USERS_DIRECTORY, String(process.pid)), processIdentity());
}

/** Stops the server when no other test process uses it. */
export async function releaseTestServer(): Promise<void> {
  await withProcessLock(LOCK, LOCK_TIMEOUT_MS, async () => {
    rmSync(join(USERS_DIRECTORY, String(process.pid)), { force: true });
    // Missing when the dependencies were reinstalled during the tests.
    if (!existsSync(USERS_DIRECTORY)) return;
    const others = readdirSync(USERS_DIRECTORY).filter((file) =>
      isProcessAlive(readFileSync(join(USERS_DIRECTORY, file), 'utf8')),
    );
    if (others.length > 0) return;
    rmSync(USERS_DIRECTORY, { recursive: true, force: true });
    await (
      await startEmbeddedPostgres({ dataDir: TEST_DIRECTORY, settings: SETTINGS, watch: false, stopForAll: true })
    ).stop();
  });
}

let server: Promise<EmbeddedPostgres> | undefined;

function testServer(): Promise<EmbeddedPostgres> {
  server ??= withProcessLock(LOCK, LOCK_TIMEOUT_MS, () => {
    writeClaim();
    return startEmbeddedPostgres({ dataDir: TEST_DIRECTORY, settings: SETTINGS, watch: false });
  });
  return server;
}

/** The migrated database that tests clone; it is rebuilt when a migration changes. */
async function ensureTemplate(url: string): Promise<string> {
  const hash = createHash('sha256').update(QUEUE_VERSION);
  for (const file of readdirSync(MIGRATIONS_DIRECTORY).sort())
    hash.update(file).update(readFileSync(join(MIGRATIONS_DIRECTORY, file)));
  const template = `template_${hash.digest('hex').slice(0, 16)}`;

  await administer(url, async (client) => {
    // Held until the connection closes: one process builds the template while the others wait.
    await client.query(`select pg_advisory_lock(hashtext('heterosis test template'))`);
    if ((await client.query('select from pg_database where datname = $1', [template])).rowCount !== 0) return;
    const fresh = `${template}_new`;
    await client.query(`drop database if exists ${fresh} with (force)`);
    await client.query(`create database ${fresh}`);
    const db = openDatabase({ url: withDatabase(url, fresh), max: 2 });
    try {
      await migrateToLatest(db);
    } finally {
      await db.destroy();
    }
    // The template includes the tables of the queue, so tests need not create them.
    const boss = new PgBoss({ connectionString: withDatabase(url, fresh), supervise: false, schedule: false });
    await boss.start();
    await boss.stop({ graceful: false });
    await client.query(`alter database ${fresh} rename to ${template}`);
    await dropOrphans(client, template);
  });
  return template;
}

/** Drops templates of older migrations and databases of killed test processes. */
async function dropOrphans(client: pg.Client, template: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^(test|template)_'`,
  );
  for (const { datname } of rows) {
    const pid = /^test_(\d+)_/.exec(datname)?.[1];
    if (datname === template || (pid !== undefined && isProcessAlive(processIdentity(Number(pid))))) continue;
    await client.query(`drop database if exists ${datname} with (force)`);
  }
}

async function administer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
