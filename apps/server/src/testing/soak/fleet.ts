import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { computeChildEnvironment } from '../../platform/config/config.ts';

const ENTRYPOINTS = join(import.meta.dirname, '../../entrypoints');
const RESTART_MS = 500;

/** What can be killed. */
export const TARGETS = ['api', 'worker', 'compute child', 'database connection', 'database', 'everything'] as const;
export type Target = (typeof TARGETS)[number];

export interface Fleet {
  /** Kills one of these with SIGKILL; false when there is none at the moment. */
  kill(target: Target): Promise<boolean>;
  /** Kills api and worker processes and starts them no more. */
  killAll(): void;
  /** Ends all processes with SIGTERM; their exit codes. */
  stop(): Promise<(number | null)[]>;
}

interface FleetOptions {
  /** Of the servers; each api has a port of its own. */
  environment: Record<string, string>;
  apiPorts: readonly number[];
  workers: number;
  databaseUrl: string;
  /** Directory of the files of PostgreSQL. */
  postgresDirectory: string;
}

/** Starts api and worker processes, and starts each again when it ends, as systemd would. */
export function startFleet({ environment, apiPorts, workers, databaseUrl, postgresDirectory }: FleetOptions): Fleet {
  let isStopping = false;
  const keep = (entry: string, own: Record<string, string>): { process: ChildProcess } => {
    const start = () =>
      spawn(process.execPath, [join(ENTRYPOINTS, entry)], {
        env: { ...computeChildEnvironment(), ...environment, ...own },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const kept = { process: start() };
    const watch = (): void => {
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
  const apis = apiPorts.map((port) => keep('api.ts', { PORT: String(port) }));
  const workerProcesses = Array.from({ length: workers }, () => keep('worker.ts', {}));

  const killOne = (kept: readonly { process: ChildProcess }[]): boolean => pick(kept)?.process.kill('SIGKILL') === true;
  const postmaster = (): number =>
    Number(readFileSync(join(postgresDirectory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const signal = (pid: number | undefined): boolean => {
    try {
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
      return false;
    }
  };
  const kill: Record<Target, () => boolean | Promise<boolean>> = {
    api: () => killOne(apis),
    worker: () => killOne(workerProcesses),
    'compute child': () => signal(pick(workerProcesses.flatMap(({ process: { pid } }) => childrenOf(pid ?? 0)))),
    'database connection': async () => signal(await aConnection(databaseUrl)),
    database: () => signal(postmaster()),
    everything: () => {
      for (const { process: one } of [...apis, ...workerProcesses]) one.kill('SIGKILL');
      return signal(postmaster());
    },
  };
  return {
    kill: async (target) => await kill[target](),
    killAll() {
      isStopping = true;
      for (const { process: one } of [...apis, ...workerProcesses]) one.kill('SIGKILL');
    },
    async stop() {
      isStopping = true;
      return await Promise.all(
        [...apis, ...workerProcesses].map(
          ({ process: one }) =>
            new Promise<number | null>((resolve) => {
              if (one.exitCode !== null || one.signalCode !== null) return resolve(one.exitCode);
              one.once('exit', resolve);
              one.kill('SIGTERM');
            }),
        ),
      );
    },
  };
}

export const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

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
  const client = new pg.Client(url);
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
