import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { computeChildEnvironment } from '../../src/platform/config/config.ts';
import { s3Config, s3ServerArguments } from '../s3-stand-in/s3-server.ts';
import type { Host, Hosts } from './hosts.ts';

const ENTRYPOINTS = join(import.meta.dirname, '../../src/entrypoints');
const RESTART_MS = 500;
/** A cut lasts up to this long: past the heartbeat of a job, and past most patience of clients. */
const LONGEST_CUT_MS = 40_000;
const PORT = 3000;
const BUCKET_PORT = 4568;

/** What can be attacked. */
export const TARGETS = [
  'api',
  'worker',
  'compute child',
  'database connection',
  'database',
  'bucket',
  'network',
  'everything',
] as const;
export type Target = (typeof TARGETS)[number];

export interface Fleet {
  origins: string[];
  databaseUrl: string;
  /** Of the servers, for whoever looks at their storage. */
  environment: Record<string, string>;
  /** The data folders of the workers and servers. */
  dataDirectories: string[];
  /** Kills one of these with SIGKILL, or cuts a network for a while; false when there is none at the moment. */
  attack(target: Target): Promise<boolean>;
  /** Waits until an api is ready for requests; false when none is for this many milliseconds. */
  ready(withinMs: number): Promise<boolean>;
  /** Megabytes of memory that each api and worker process holds, without its compute children. */
  memory(): { name: string; megabytes: number }[];
  /** Waits until all networks are mended. */
  calm(): Promise<void>;
  /** Kills all processes and starts them no more. */
  killAll(): void;
  /** Ends api and worker processes with SIGTERM; their exit codes. */
  stop(): Promise<(number | null)[]>;
  /** Ends database and bucket. */
  close(): Promise<void>;
}

interface FleetOptions {
  hosts: Hosts;
  home: string;
  /** Existing folder, in which each process has a file with all that it writes. */
  logs: string;
  environment: Record<string, string>;
  apis: number;
  workers: number;
  /** Called with the addresses, before the first api starts. */
  prepare(databaseUrl: string): Promise<void>;
}

/** A process that is started again when it ends, as systemd would. */
interface Kept {
  host: Host;
  process: ChildProcess;
}

/**
 * Starts PostgreSQL, an S3 server, api and worker processes, each on its host and with files of its own, and starts
 * each again when it ends.
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { hosts, home, logs } = options;
  let isStopping = false;
  const cuts = new Set<Promise<void>>();
  const keep = (name: string, host: Host, given: string[], own: Record<string, string>): Kept => {
    const log = createWriteStream(join(logs, `${name}.log`));
    const start = () => {
      const [command, rest] = host.command(process.execPath, given);
      return spawn(command, rest, {
        env: { ...computeChildEnvironment(), ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    };
    const kept: Kept = { host, process: start() };
    const watch = (): void => {
      for (const stream of [kept.process.stdout, kept.process.stderr]) stream?.pipe(log, { end: false });
      kept.process.once('exit', () => {
        if (isStopping) return;
        setTimeout(() => {
          kept.process = start();
          watch();
        }, RESTART_MS);
      });
    };
    watch();
    return kept;
  };

  const databaseHost = hosts.add();
  const [command, given] = databaseHost.command(process.execPath, [
    join(import.meta.dirname, 'database-host.ts'),
    join(home, 'database'),
    databaseHost.address,
  ]);
  const databaseProcess = spawn(command, given, {
    env: computeChildEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await firstLine(databaseProcess);
  const { url: databaseUrl, directory } = JSON.parse(line) as { url: string; directory: string };

  const bucketHost = hosts.add();
  mkdirSync(join(home, 'bucket'));
  const bucket = keep(
    'bucket',
    bucketHost,
    s3ServerArguments({ directory: join(home, 'bucket'), address: bucketHost.address, port: BUCKET_PORT }),
    {},
  );
  const apiHosts = Array.from({ length: options.apis }, () => hosts.add());
  const origins = apiHosts.map(({ address }, index) => `http://${address}:${PORT + index}`);
  const { endpoint = '', bucket: bucketName, accessKeyId, secretAccessKey } = s3Config(bucketHost.address, BUCKET_PORT);
  const environment = {
    ...options.environment,
    DATABASE_URL: databaseUrl,
    STORAGE: 's3',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucketName,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_FORCE_PATH_STYLE: 'on',
    PUBLIC_URL: origins[0] ?? '',
  };
  await options.prepare(databaseUrl);
  const dataDirectories: string[] = [];
  const server = (host: Host, entry: string, own: Record<string, string> = {}): Kept => {
    const name = `${entry.replace('.ts', '')}-${dataDirectories.length}`;
    const dataDirectory = join(home, `data-${dataDirectories.length}`);
    dataDirectories.push(dataDirectory);
    return keep(name, host, [join(ENTRYPOINTS, entry)], { ...environment, DATA_DIR: dataDirectory, ...own });
  };
  const apis = apiHosts.map((host, index) =>
    server(host, 'api.ts', { HOST: host.address, PORT: String(PORT + index) }),
  );
  const workers = Array.from({ length: options.workers }, () => server(hosts.add(), 'worker.ts'));
  const processes = [...apis, ...workers];

  const killOne = (kept: readonly Kept[]): boolean => pick(kept)?.process.kill('SIGKILL') === true;
  const postmaster = (): number => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const attacks: Record<Target, () => boolean | Promise<boolean>> = {
    api: () => killOne(apis),
    worker: () => killOne(workers),
    'compute child': () => signal(pick(workers.flatMap(({ process: { pid } }) => childrenOf(pid ?? 0)))),
    'database connection': async () => signal(await aConnection(databaseUrl)),
    database: () => signal(postmaster()),
    bucket: () => killOne([bucket]),
    network() {
      const host = pick([databaseHost, bucketHost, ...processes.map((one) => one.host)]);
      if (host === undefined || !host.cut()) return false;
      const cut = sleep(Math.random() * LONGEST_CUT_MS).then(() => host.mend());
      cuts.add(cut);
      void cut.finally(() => cuts.delete(cut));
      return true;
    },
    everything: () => {
      for (const { process: one } of [...processes, bucket]) one.kill('SIGKILL');
      return signal(postmaster());
    },
  };
  return {
    origins,
    databaseUrl,
    environment: { ...environment, DATA_DIR: join(home, 'data-soak') },
    dataDirectories,
    async attack(target) {
      try {
        return await attacks[target]();
      } catch (error) {
        // PostgreSQL is being started again.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    },
    async ready(withinMs) {
      const deadline = Date.now() + withinMs;
      const isReady = (origin: string): Promise<boolean> =>
        fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await Promise.all(origins.map(isReady))).includes(true)) {
        if (Date.now() > deadline) return false;
        await sleep(RESTART_MS);
      }
      return true;
    },
    memory: () => [
      ...apis.map(({ process: { pid } }, i) => ({ name: `api ${i + 1}`, megabytes: residentMegabytes(pid) })),
      ...workers.map(({ process: { pid } }, i) => ({ name: `worker ${i + 1}`, megabytes: residentMegabytes(pid) })),
    ],
    async calm() {
      await Promise.all(cuts);
    },
    killAll() {
      isStopping = true;
      for (const { process: one } of [...processes, bucket]) one.kill('SIGKILL');
      databaseProcess.kill('SIGTERM');
    },
    async stop() {
      isStopping = true;
      return await Promise.all(processes.map(({ process: one }) => end(one)));
    },
    async close() {
      isStopping = true;
      await Promise.all([end(bucket.process), end(databaseProcess)]);
    },
  };
}

async function end(one: ChildProcess): Promise<number | null> {
  if (one.exitCode !== null || one.signalCode !== null) return one.exitCode;
  const ended = once(one, 'exit');
  one.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  return code;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('the process ended before it was ready');
}

export const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

/** NaN for a process that is being started again. */
function residentMegabytes(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

function signal(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** Direct children of a process, from /proc. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return Number(ppid) === parent;
      } catch {
        return false;
      }
    });
}

/** Process id of a connection of the product; PostgreSQL answers its death by restarting all of them. */
async function aConnection(url: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'heterosis%' order by random() limit 1`,
    );
    return rows[0]?.pid;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}
