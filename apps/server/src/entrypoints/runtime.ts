import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { PgBoss } from 'pg-boss';
import { sweepUploads } from '../features/files/index.ts';
import { sweepBin } from '../features/runs/index.ts';
import { createComputePool } from '../platform/compute/compute-pool.ts';
import { type Config, ConfigError, defaultPublicUrl, loadConfig } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts';
import { migrateToLatest } from '../platform/database/migrate.ts';
import { createEventHub } from '../platform/events/event-hub.ts';
import { eventRoutes } from '../platform/events/events.routes.ts';
import { type App, createApp, type Services } from '../platform/http/app.ts';
import { startBoss } from '../platform/job-queue/boss.ts';
import { createJobQueue } from '../platform/job-queue/boss-queue.ts';
import { startWorker } from '../platform/job-queue/worker.ts';
import { createLogger, type Logger } from '../platform/logging/logger.ts';
import { createMailer } from '../platform/mail/create-mailer.ts';
import { createObjectStorage } from '../platform/object-storage/create-object-storage.ts';
import { createResultTables } from '../platform/result-tables/result-tables.ts';
import { jobRegistrations, wireFeatures } from './wiring.ts';

const WEB_DIRECTORY = resolve(import.meta.dirname, '../../../web/dist');

/** What is open in this process, closed in reverse order. */
export interface Runtime {
  config: Config;
  logger: Logger;
  services: Services;
  boss: PgBoss;
  storageRoutes: Parameters<typeof createApp>[0]['features'];
  databaseUrl: string;
  onClose(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  /** A worker watches over the queue. */
  isWorker: boolean;
  migrate: boolean;
  print?: (line: string) => void;
}

/** Configuration, database, storage, queue and mail: what every kind of process needs. */
export async function openRuntime({ isWorker, migrate, print = printLine }: RuntimeOptions): Promise<Runtime> {
  const config = await withFixedPort(loadConfig());
  const logger = createLogger(config);
  const closers: (() => Promise<unknown>)[] = [];
  const onClose = (close: () => Promise<unknown>): void => void closers.unshift(close);
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0)) {
      try {
        await one();
      } catch (error) {
        logger.warn({ err: error }, 'closing');
      }
    }
  };
  try {
    const databaseUrl = config.database.url ?? (await openEmbedded(config, logger, onClose));
    const db = openDatabase({
      url: databaseUrl,
      max: config.database.pool,
      onConnectionLost: (error) => logger.warn({ err: error }, 'database connection'),
    });
    onClose(() => db.destroy());
    if (migrate) await migrateToLatest(db);
    const { storage, routes } = createObjectStorage(config);
    const boss = await startBoss({ url: databaseUrl, logger, role: isWorker ? 'worker' : 'sender' });
    onClose(() => boss.stop({ graceful: false }));
    const mailer = createMailer({ config, db, print });
    onClose(() => mailer.close());
    const tables = createResultTables({ storage, directory: join(config.dataDir, 'cache', 'results') });
    const services: Services = { config, db, logger, storage, jobs: createJobQueue(boss, db), mailer, tables };
    return { config, logger, services, boss, storageRoutes: routes, databaseUrl, onClose, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEmbedded(config: Config, logger: Logger, onClose: Runtime['onClose']): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message) => logger.debug({ message }, 'embedded PostgreSQL'),
  });
  onClose(() => postgres.stop());
  return postgres.url;
}

/** The HTTP side; returns the address it listens on. */
export async function serve(runtime: Runtime): Promise<App> {
  const { config, services, databaseUrl, logger, storageRoutes, onClose } = runtime;
  const { features, access } = wireFeatures(services);
  const hub = createEventHub(databaseUrl, logger);
  onClose(() => hub.close());
  const app = await createApp({
    services,
    access,
    features: [...storageRoutes, ...features, eventRoutes({ hub, access })],
    webDirectory: WEB_DIRECTORY,
  });
  await app.listen({ host: config.host, port: config.port });
  onClose(() => app.close());
  return app;
}

/** How long running jobs may take to notice that the process is ending; they are aborted and taken over by others. */
const WORKER_STOP_MS = 10_000;

/** What lies in the bin for 30 days can wait some hours more. */
const SWEEP_INTERVAL_MS = 6 * 3_600_000;

async function sweep(services: Services): Promise<void> {
  try {
    await sweepUploads(services);
    await sweepBin(services);
  } catch (error) {
    services.logger.error({ err: error }, 'sweeping');
  }
}

/** Takes jobs from the queue. */
export async function work(runtime: Runtime): Promise<void> {
  const { config, logger, services, boss, onClose } = runtime;
  // Loaded here only: the API has no use for the numerical library.
  const { computeEnvironment } = await import('@heterosis/linalg/threads');
  const compute = createComputePool({
    size: config.worker.concurrency,
    threads: config.compute.threads,
    memoryMb: config.compute.memoryMb,
    environment: computeEnvironment,
    logger,
  });
  onClose(() => compute.close());
  const worker = await startWorker({
    boss,
    db: services.db,
    logger,
    registrations: jobRegistrations({ ...services, compute }),
    concurrency: config.worker.concurrency,
  });
  onClose(() => worker.stop(WORKER_STOP_MS));
  const sweeping = setInterval(() => void sweep(services), SWEEP_INTERVAL_MS);
  onClose(async () => clearInterval(sweeping));
}

/**
 * Runs until SIGTERM or SIGINT, then finishes what is under way and closes everything. A second signal ends at once.
 * A wrong configuration ends with its reasons and no stack.
 */
export async function runProcess(start: () => Promise<Pick<Runtime, 'close' | 'logger'>>): Promise<void> {
  try {
    const runtime = await start();
    let isClosing = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (isClosing) process.exit(1);
      isClosing = true;
      runtime.logger.info({ signal }, 'stopping');
      runtime.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${String(error)}\n`);
          process.exit(1);
        },
      );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : describe(error)}\n`);
    process.exit(1);
  }
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** PORT=0: a free port is chosen now, so that mailed links and signed addresses can name it. */
async function withFixedPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort(config.host);
  const wasDefault = config.publicUrl === defaultPublicUrl(config.host, 0);
  return { ...config, port, publicUrl: wasDefault ? defaultPublicUrl(config.host, port) : config.publicUrl };
}

function freePort(host: string): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolvePort(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function describe(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'EADDRINUSE') return 'The port is in use. Stop what listens there, or choose another with PORT=….';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
