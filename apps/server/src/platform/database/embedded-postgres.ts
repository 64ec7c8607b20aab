import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { readOrCreateSecret } from '../config/secrets.ts';
import { isProcessAlive, processIdentity, withProcessLock } from '../processes/process-lock.ts';
import {
  choosePostgresUser,
  findPostgresBinaries,
  isReachable,
  type PostgresUser,
  SHARED_DIRECTORY,
} from './postgres-binaries.ts';

const run = promisify(execFile);

const SUPERUSER = 'heterosis';
const DATABASE = 'heterosis';
const LOCK_TIMEOUT_MS = 120_000;
/**
 * After a kill -9, old children still hold the shared memory and a zombie makes pg_ctl misreport: retry for this
 * long.
 */
const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 200;
const WATCH_MS = 500;
const CONNECT_MS = 10_000;

export interface EmbeddedPostgres {
  /** Connection string of the application database, with the password. */
  readonly url: string;
  /** Where the server's files are: `postgres` in the data directory, or below /var/lib when that cannot be reached. */
  readonly directory: string;
  /** Releases the server; the last user stops it. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The server's files go to `postgres` below, its password to `secrets`. */
  dataDir: string;
  /** Further lines of postgresql.conf, written when the server's directory is made. */
  settings?: Record<string, string>;
  /** Restart the server when it dies while in use. Default true. */
  watch?: boolean;
  /** `stop()` stops the server even when others still use it. */
  stopForAll?: boolean;
  log?: (message: string) => void;
}

interface Cluster {
  directory: string;
  binaries: string;
  user: PostgresUser | undefined;
  password: string;
  log: (message: string) => void;
  settings: Record<string, string>;
}

/**
 * Ensures that a PostgreSQL serves `dataDir` and returns how to reach it: uses the running one or starts it, creating
 * its files on the first start. Several processes may call this at the same time.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true });
  const cluster = locateCluster(options);
  const lock = `${cluster.directory}.lock`;
  // The last user stops it, so an operator's command and the server can share it in any order.
  const users = `${cluster.directory}.users`;
  const ownEntry = join(users, randomBytes(6).toString('hex'));

  const bringUp = (knownPort?: number) =>
    withProcessLock(lock, LOCK_TIMEOUT_MS, async () => {
      mkdirSync(users, { recursive: true });
      writeFileSync(ownEntry, processIdentity());
      const port = (await findRunning(cluster)) ?? (await startServer(cluster, knownPort));
      await createDatabase(cluster, port);
      return port;
    });

  let port: number;
  try {
    port = await bringUp();
  } catch (error) {
    rmSync(ownEntry, { force: true });
    throw error;
  }
  let stopping = false;
  let reviving: Promise<void> | undefined;

  async function revive(): Promise<void> {
    cluster.log('PostgreSQL has died and is started again');
    try {
      // Keep the port: it is part of every connection string.
      await bringUp(port);
    } catch (error) {
      cluster.log(`PostgreSQL could not be started again: ${(error as Error).message}`);
    } finally {
      reviving = undefined;
    }
  }
  const watcher = setInterval(() => {
    if (options.watch !== false && reviving === undefined && !isPostmasterAlive(cluster)) reviving = revive();
  }, WATCH_MS);
  watcher.unref();

  return {
    url: connectionString(cluster, port, DATABASE),
    directory: cluster.directory,
    async stop() {
      clearInterval(watcher);
      if (stopping) return;
      stopping = true;
      await reviving;
      await withProcessLock(lock, LOCK_TIMEOUT_MS, async () => {
        rmSync(ownEntry, { force: true });
        if (options.stopForAll !== true && hasLivingEntry(users)) return;
        await stopServer(cluster);
        rmSync(users, { recursive: true, force: true });
      });
    },
  };
}

/** Each file names a process that uses the server; files of ended processes are removed. */
function hasLivingEntry(users: string): boolean {
  const paths = existsSync(users) ? readdirSync(users).map((name) => join(users, name)) : [];
  const living = paths.filter((path) => isProcessAlive(readFileSync(path, 'utf8')));
  for (const path of paths) if (!living.includes(path)) rmSync(path, { force: true });
  return living.length > 0;
}

function locateCluster({ dataDir, settings = {}, log = () => {} }: EmbeddedPostgresOptions): Cluster {
  const inside = join(dataDir, 'postgres');
  const existing = existsSync(inside) ? statSync(inside) : undefined;
  let user = choosePostgresUser();
  // The owner of existing files keeps running them.
  if (user !== undefined && existing !== undefined && existing.uid !== 0)
    user = { uid: existing.uid, gid: existing.gid };
  const password = readOrCreateSecret(dataDir, 'postgres-password');
  let directory = inside;
  if (!isReachable(inside, user)) {
    // The password is part of the name: when the data directory was deleted with its secrets, a new server is made,
    // since the old one would let nobody in.
    const name = createHash('sha256').update(`${inside}\n${password}`).digest('hex').slice(0, 16);
    directory = join(SHARED_DIRECTORY, name, 'postgres');
    mkdirSync(join(SHARED_DIRECTORY, name), { recursive: true, mode: 0o755 });
    log(`${dataDir} cannot be reached by the user that runs PostgreSQL; its files are in ${directory}`);
  }
  return {
    directory,
    binaries: findPostgresBinaries(user),
    user,
    password,
    log,
    settings,
  };
}

const connectionString = ({ password }: Cluster, port: number, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

/** Port of a server that serves this directory and accepts our password; undefined when there is none. */
async function findRunning(cluster: Cluster): Promise<number | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const pidFile = readPidFile(cluster);
    if (pidFile === undefined || !isAlive(pidFile.pid)) return undefined;
    if (pidFile.port !== undefined && (await canConnect(cluster, pidFile.port))) return pidFile.port;
    // Starting, stopping, or a stale pid that now belongs to another program: pg_ctl can tell, once it is not a zombie.
    if (Date.now() > deadline) return undefined;
    await sleep(RETRY_MS);
    if (!(await looksLikePostgres(cluster, pidFile.pid))) return undefined;
  }
}

/** Line 1 of postmaster.pid is the process id, line 4 the port. */
function readPidFile({ directory }: Cluster): { pid: number; port: number | undefined } | undefined {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    return pid > 0 ? { pid, port: port > 0 ? port : undefined } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const isAlive = (pid: number): boolean => isProcessAlive(processIdentity(pid));

function isPostmasterAlive(cluster: Cluster): boolean {
  const pidFile = readPidFile(cluster);
  return pidFile !== undefined && isAlive(pidFile.pid);
}

async function looksLikePostgres({ binaries, directory, user }: Cluster, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes(directory) || command.includes(join(binaries, 'bin')) || user === undefined;
  } catch {
    // Removed since the directory was listed.
    return false;
  }
}

/** Asks the server on this port. When it dies meanwhile, what is asked fails. */
async function ask<Answer>(cluster: Cluster, port: number, work: (client: pg.Client) => Promise<Answer>) {
  const client = new pg.Client({
    connectionString: connectionString(cluster, port, 'postgres'),
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A death between two questions is nobody's answer, and an unheard error would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether the server on this port takes our password and really serves our directory. */
async function canConnect(cluster: Cluster, port: number): Promise<boolean> {
  try {
    return await ask(cluster, port, async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      return rows[0]?.data_directory === cluster.directory;
    });
  } catch {
    // Refused, starting, stopping or another server: not usable now. The caller decides how long to wait.
    return false;
  }
}

/** Starts the server on the port that its users know already, or on a free one when there are none yet. */
async function startServer(cluster: Cluster, knownPort: number | undefined): Promise<number> {
  if (!existsSync(cluster.directory)) await initialise(cluster);
  const logFile = join(cluster.directory, 'server.log');
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const port = knownPort ?? (await freePort());
    rotateLog(cluster, logFile);
    try {
      await runTool(cluster, 'pg_ctl', [
        'start',
        '-w',
        '-t',
        '30',
        '-s',
        '-D',
        cluster.directory,
        '-l',
        logFile,
        '-o',
        `-p ${port}`,
      ]);
      if (await canConnect(cluster, port)) return port;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`The embedded PostgreSQL did not start. Its log ends:\n${tail(logFile)}`, { cause: error });
    }
    await sleep(RETRY_MS);
  }
}

/**
 * Creates the server's files in a temporary directory and renames it, so that an interrupted start leaves nothing
 * partial.
 */
async function initialise(cluster: Cluster): Promise<void> {
  const { directory, user, password } = cluster;
  const prefix = `${directory}.new-`;
  removeLeftovers(directory, prefix);
  const fresh = `${prefix}${randomBytes(4).toString('hex')}`;
  const passwordFile = `${fresh}.password`;
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) {
    chownSync(fresh, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  try {
    // The builtin locale sorts and folds the same everywhere, whatever the machine's libc and ICU are.
    await runTool(cluster, 'initdb', [
      `--pgdata=${fresh}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ]);
    const settings: Record<string, string> = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      shared_buffers: '128MB',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...cluster.settings,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
    appendFileSync(join(fresh, 'postgresql.conf'), `\n${lines.join('\n')}\n`);
    renameSync(fresh, directory);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

function removeLeftovers(directory: string, prefix: string): void {
  const parent = join(directory, '..');
  for (const name of readdirSync(parent))
    if (join(parent, name).startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true });
}

async function createDatabase(cluster: Cluster, port: number): Promise<void> {
  await ask(cluster, port, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
}

async function stopServer(cluster: Cluster): Promise<void> {
  if (!isPostmasterAlive(cluster)) return;
  await runTool(cluster, 'pg_ctl', ['stop', '-w', '-t', '30', '-s', '-m', 'fast', '-D', cluster.directory]);
}

/** Runs a program of PostgreSQL as the unprivileged user; its error output becomes the message. */
async function runTool(cluster: Cluster, tool: string, args: string[]): Promise<void> {
  const { user, binaries } = cluster;
  try {
    await run(join(binaries, 'bin', tool), args, {
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
  } catch (error) {
    const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string };
    throw new Error(`${tool} failed: ${stderr.trim() || stdout.trim() || message}`, { cause: error });
  }
}

const MAX_LOG_BYTES = 10_000_000;

function rotateLog({ user }: Cluster, logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.old`);
  if (existsSync(logFile)) return;
  writeFileSync(logFile, '');
  chmodSync(logFile, 0o600);
  if (user !== undefined) chownSync(logFile, user.uid, user.gid);
}

function tail(logFile: string): string {
  return existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '(no log)';
}

/** A currently free port; the caller retries when another process takes it first. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
