import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { usableMemoryMb } from '@heterosis/analysis/engine/machine-rates';
import type { PgBoss } from 'pg-boss';
import { sweepAnnounced, sweepImportTokens, sweepSearches } from '../features/brapi/index.ts';
import { sweepUnindexedFiles, sweepUploads } from '../features/data/files/index.ts';
import { sweepGermplasm } from '../features/data/germplasm/index.ts';
import { sweepSignIns } from '../features/people/auth/index.ts';
import { createBilling, renewSubscriptions } from '../features/people/billing/index.ts';
import { sweepComments } from '../features/people/comments/index.ts';
import { sweepPersonalItems } from '../features/people/home/index.ts';
import { sweepNotifications } from '../features/people/notifications/index.ts';
import { sweepShareLinks } from '../features/people/share-links/index.ts';
import { sweepDeliveries } from '../features/people/webhooks/index.ts';
import { sweepAllRuns, sweepBin } from '../features/work/runs/sweep/index.ts';
import type { ComputePool } from '../platform/compute/compute.ts';
import { createComputePool } from '../platform/compute/compute-pool.ts';
import { slurm } from '../platform/compute/slurm.ts';
import { createSlurmPool } from '../platform/compute/slurm-pool.ts';
import { type Config, defaultPublicUrl, loadConfig } from '../platform/config/config.ts';
import { migrateToLatest, requireMigrated } from '../platform/database/migrate.ts';
import { createEventHub } from '../platform/events/event-hub.ts';
import { eventRoutes } from '../platform/events/events.routes.ts';
import { type App, createApp, type Services } from '../platform/http/app.ts';
import { sweepIdempotencyKeys } from '../platform/http/hooks/keyed-request.ts';
import { startBoss } from '../platform/job-queue/boss.ts';
import { createJobQueue } from '../platform/job-queue/boss-queue.ts';
import type { JobRegistration } from '../platform/job-queue/job.ts';
import type { Offer } from '../platform/job-queue/room.ts';
import { startWorker } from '../platform/job-queue/worker.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { sweepMails } from '../platform/mail/create-mailer.ts';
import { createObjectStorage } from '../platform/object-storage/create-object-storage.ts';
import { diskSpace } from '../platform/object-storage/disk-reserve.ts';
import { useOneBlasThread } from '../platform/processes/one-blas-thread.ts';
import { workRoot } from '../platform/processes/work-directory.ts';
import { createResultTables } from '../platform/result-tables/result-tables.ts';
import { describeStartFailure, type Foundation, openFoundation } from './foundation.ts';
import { keepPublicUrl } from './public-address.ts';
import { jobRegistrations, wireFeatures } from './wiring.ts';

const WEB_DIRECTORY = resolve(import.meta.dirname, '../../../web/dist');

/** Open resources of this process; closed in reverse order. */
export interface Runtime {
  config: Config;
  logger: Logger;
  services: Services;
  boss: PgBoss;
  storageRoutes: Parameters<typeof createApp>[0]['features'];
  databaseUrl: string;
  patiently: Foundation['patiently'];
  onClose(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  /** Only workers maintain the queue. */
  isWorker: boolean;
  migrate: boolean;
  print?: (line: string) => void;
}

/** Configuration, database, storage, queue and mail, which every kind of process needs. */
export async function openRuntime({ isWorker, migrate, print = printLine }: RuntimeOptions): Promise<Runtime> {
  const prepare = migrate ? migrateToLatest : requireMigrated;
  const foundation = await openFoundation({ config: await withFixedPort(loadConfig()), prepare, print });
  const { config, logger, db, mailer, databaseUrl, patiently, onClose, close } = foundation;
  try {
    const { storage, routes } = createObjectStorage(config);
    const role = isWorker ? 'worker' : 'sender';
    const boss = await patiently(() => startBoss({ url: databaseUrl, logger, role }));
    onClose(() => boss.stop({ graceful: false }));
    const tables = createResultTables({ storage, directory: join(config.dataDir, 'cache', 'results') });
    const services: Services = { config, db, logger, storage, jobs: createJobQueue(boss, db), mailer, tables };
    return { config, logger, services, boss, storageRoutes: routes, databaseUrl, patiently, onClose, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Responses take milliseconds; only files take longer, and browsers resume those. */
const REQUESTS_END_MS = 5_000;

/** Starts the HTTP server and returns its address. */
export async function serve(runtime: Runtime): Promise<App> {
  const { config, services, databaseUrl, logger, storageRoutes, onClose } = runtime;
  const { features, rootFeatures, access } = wireFeatures(services);
  const hub = createEventHub(databaseUrl, logger);
  onClose(() => hub.close());
  const app = await createApp({
    services,
    access,
    features: [...storageRoutes, ...features, eventRoutes({ hub, access })],
    rootFeatures,
    webDirectory: WEB_DIRECTORY,
  });
  await app.prepareApiDocument();
  await app.listen({ host: config.host, port: config.port });
  await keepPublicUrl(services.db, config.publicUrl);
  onClose(async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), REQUESTS_END_MS);
    await app.close().finally(() => clearTimeout(cut));
  });
  return app;
}

/** Time for running jobs to notice a shutdown; they are aborted and taken over by other workers. */
const WORKER_STOP_MS = 10_000;

/** Leftovers of runs are large, so sweep them often. */
const SWEEP_RUNS_INTERVAL_MS = 60_000;
/** Entries stay in the bin for 30 days; a few hours more do not matter. */
const SWEEP_INTERVAL_MS = 6 * 3_600_000;
/** Delay of the first sweep, so that workers restarted every few hours sweep too. */
const FIRST_SWEEP_MS = 120_000;

/**
 * Sweeps periodically, in every worker; what one has swept the others no longer find. Returns a function that stops
 * it.
 */
function startSweeping(services: Services, registrations: readonly JobRegistration[]): () => void {
  const { db, logger } = services;
  const { driver } = createBilling(services.config);
  /** Runs the sweeps in sequence; a failing one does not stop the others. */
  const sweep = async (...sweeps: (() => Promise<void>)[]): Promise<void> => {
    for (const one of sweeps) await one().catch((error: unknown) => logger.error({ err: error }, 'sweeping'));
  };
  const sweepOften = () => void sweep(...sweepAllRuns(services, registrations));
  const sweepRest = () =>
    void sweep(
      () => sweepUploads(services),
      () => sweepGermplasm(services),
      () => sweepUnindexedFiles(services),
      () => sweepBin(services),
      () => sweepSignIns(db),
      () => sweepMails(db),
      () => sweepIdempotencyKeys(db),
      () => sweepSearches(db),
      () => sweepAnnounced(db),
      () => sweepImportTokens(db),
      () => sweepDeliveries(db),
      () => sweepPersonalItems(db),
      () => sweepNotifications(db),
      () => sweepComments(db),
      () => sweepShareLinks(db),
      () => renewSubscriptions({ db, driver }),
    );
  // Requeue at once what an older version left waiting.
  sweepOften();
  const timers = [
    setInterval(sweepOften, SWEEP_RUNS_INTERVAL_MS),
    setInterval(sweepRest, SWEEP_INTERVAL_MS),
    setTimeout(sweepRest, FIRST_SWEEP_MS),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

/** One compute process per slot for long and short jobs, so a taken job never waits while another worker is idle. */
const LANES_THAT_COMPUTE = 2;

async function createCompute({ config, logger }: Runtime): Promise<ComputePool> {
  const { concurrency } = config.worker;
  const { slurm: cluster, memoryMb, threads } = config.compute;
  const common = {
    size: LANES_THAT_COMPUTE * concurrency,
    threads: threads ?? Math.max(1, Math.floor(availableParallelism() / concurrency)),
    memoryMb,
    logger,
  };
  if (cluster !== undefined)
    return createSlurmPool({ ...common, directory: workRoot(config), options: cluster.options, slurm });
  // Loaded only here: the API does not need the numerical library.
  const { computeEnvironment } = await import('@heterosis/linalg/threads');
  return createComputePool({ ...common, environment: computeEnvironment });
}

/** A cluster has more than one machine, and says itself what does not fit. */
const UNLIMITED_MB = 2_000_000_000;

function offerOf(config: Config): Offer {
  const root = workRoot(config);
  return {
    cores: availableParallelism(),
    memoryMb: config.worker.memoryMb ?? (config.compute.slurm === undefined ? usableMemoryMb() : UNLIMITED_MB),
    async diskMb() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const { freeBytes, reserveBytes } = await diskSpace(root, config.limits.reservedDiskBytes);
      return Math.max(0, freeBytes - reserveBytes) / 1e6;
    },
  };
}

/** Takes jobs from the queue. */
export async function work(runtime: Runtime): Promise<void> {
  const { config, logger, services, boss, patiently, onClose } = runtime;
  const compute = await createCompute(runtime);
  onClose(() => compute.close());
  const registrations = jobRegistrations({ ...services, compute });
  const worker = await patiently(() =>
    startWorker({
      ...{ boss, db: services.db, logger, registrations },
      concurrency: config.worker.concurrency,
      offer: offerOf(config),
    }),
  );
  onClose(() => worker.stop(WORKER_STOP_MS));
  const stopSweeping = startSweeping(services, registrations);
  onClose(async () => stopSweeping());
}

/** Under npm, Ctrl-C arrives twice: from the terminal and forwarded by npm. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs until SIGTERM or SIGINT, then finishes requests and closes everything. A signal during the start waits for its
 * end, so that no database keeps running. A second signal ends at once. Expected failures print their reason and no
 * stack.
 */
export async function runProcess(start: () => Promise<Pick<Runtime, 'close' | 'logger'>>): Promise<void> {
  useOneBlasThread();
  let runtime: Pick<Runtime, 'close' | 'logger'> | undefined;
  let stoppingSince: number | undefined;
  const close = (): void => {
    runtime?.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    runtime?.logger.info({ signal }, 'stopping');
    close();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    runtime = await start();
  } catch (error) {
    if (stoppingSince === undefined) process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exit(1);
  }
  if (stoppingSince !== undefined) close();
}

/** Where the mails are that are not sent. The key is for whoever sees this terminal, so it is printed here alone. */
export function printOutbox({ mail, publicUrl }: Config): void {
  if (mail.kind !== 'outbox') return;
  const address = `${publicUrl}/dev/outbox?${new URLSearchParams({ key: mail.key })}`;
  printLine(`Sign-in mails are not sent. Their links appear here and at\n  ${address}`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** With PORT=0, chooses a free port now, so that mailed links and signed addresses can contain it. */
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
