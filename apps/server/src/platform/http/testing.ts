import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireShortTurns } from '@heterosis/test-support/short-turns';
import type { PgBoss } from 'pg-boss';
import type { DestinationStream } from 'pino';
import { type Config, loadConfig } from '../config/config.ts';
import { createTestDatabase } from '../database/testing.ts';
import { startBoss } from '../job-queue/boss.ts';
import { createJobQueue } from '../job-queue/boss-queue.ts';
import { createLogger } from '../logging/logger.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { createObjectStorage } from '../object-storage/create-object-storage.ts';
import { createResultTables } from '../result-tables/result-tables.ts';
import type { AccessControl } from './access.ts';
import { type App, createApp, type FeatureRoutes, type Services } from './app.ts';
import { LOOP_BLOCKED } from './hooks/loop-watch.ts';

export interface TestServices {
  services: Services;
  databaseUrl: string;
  /** Connection string, for tests that run a worker on the same queue. */
  boss: PgBoss;
  /** Routes that the storage needs for its signed addresses. */
  storageRoutes: FeatureRoutes[];
  close(): Promise<void>;
}

/** Opens the outbox of tests. */
export const OUTBOX_KEY: string = 'opens-the-outbox-of-tests-'.repeat(2);
export const OUTBOX: string = `/api/dev/outbox?key=${OUTBOX_KEY}`;

/** A real database, local disk, queue and outbox for one test file. Logs nothing unless a destination is given. */
export async function createTestServices(
  changes: Partial<Config> = {},
  log?: DestinationStream,
): Promise<TestServices> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heterosis-test-'));
  const environment = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    LOG_FORMAT: 'json',
    RATE_LIMIT: '0',
    DEMO: 'off',
    OUTBOX_KEY,
  };
  const config: Config = { ...loadConfig(environment), publicUrl: 'http://localhost', ...changes };
  const level = log === undefined ? config.log.level : 'trace';
  const logger = createLogger({ log: { ...config.log, level } }, log);
  const { db, url, close: closeDatabase } = await createTestDatabase();
  const boss = await startBoss({ url, logger, role: 'sender' });
  const { storage, routes } = createObjectStorage(config);
  const mailer = createMailer({ config, db, print: () => {} });
  const tables = createResultTables({ storage, directory: join(dataDir, 'cache') });
  return {
    services: { config, db, logger, storage, jobs: createJobQueue(boss, db), mailer, tables },
    databaseUrl: url,
    boss,
    storageRoutes: routes,
    async close() {
      await boss.stop({ graceful: false });
      await mailer.close();
      await closeDatabase();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Knows nobody; for tests of public routes. */
export const noAccess: AccessControl = {
  authenticate: async () => undefined,
  findOrganizationAccess: async () => undefined,
  findProjectAccess: async () => undefined,
  listVisibleScopes: async () => ({ organizationIds: [], projectIds: [] }),
  recordActivity: async () => {},
  isOperator: async () => false,
  isStillSignedIn: async () => false,
};

export interface TestApp extends TestServices {
  app: App;
}

export interface TestAppOptions {
  features: readonly FeatureRoutes[];
  /** Default: knows nobody. */
  access?: (services: Services) => AccessControl;
  changes?: Partial<Config>;
  /** Called before the routes are registered, for what they need besides the services. */
  prepare?: (test: TestServices) => void | Promise<void>;
}

/** An app for `inject`, with real services. */
export async function createTestApp({
  features,
  access = () => noAccess,
  changes,
  prepare,
}: TestAppOptions): Promise<TestApp> {
  const test = await createTestServices(changes);
  await prepare?.(test);
  const app = await createApp({
    services: test.services,
    access: access(test.services),
    features: [...test.storageRoutes, ...features],
  });
  return {
    ...test,
    app,
    async close() {
      await app.close();
      await test.close();
      await requireShortTurnsOf(app);
    },
  };
}

/** Whether no request that the app has answered kept the others waiting for `longest` seconds. */
export const requireShortTurnsOf = async ({ metrics }: App, longest?: number): Promise<void> =>
  requireShortTurns(await metrics.getSingleMetricAsString(LOOP_BLOCKED), longest);
