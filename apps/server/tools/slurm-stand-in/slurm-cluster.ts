import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SlurmCluster {
  /** For programs that submit jobs. */
  environment: Record<string, string>;
  /** All jobs that the controller knows, with the node of those that began. */
  jobs(): { id: string; name: string; state: string; node: string; restarts: number; log: string }[];
  /** Stops everything that runs on a node; returns the jobs whose programs are among it. */
  freeze(node: string): string[];
  /** Lets it go on. */
  thaw(node: string): void;
  /** Kills the daemon of a node with everything that runs there, as when its power fails. */
  killNode(node: string): Promise<void>;
  /** A job that lost its node otherwise waits two minutes. */
  startNow(job: string): void;
  /** Option of sbatch that keeps what a job writes to its standard error. */
  keepErrors: string;
  /** Every job as the controller knows it, with what it wrote to its standard error: for the message of a failure. */
  report(): string;
  stop(): Promise<void>;
}

const NODES = ['n1', 'n2'];
const START_MS = 30_000;

/** Whether Slurm is installed here (Debian: slurm-wlm). */
export const hasSlurm = ['slurmctld', 'slurmd'].every((program) => {
  try {
    execFileSync(program, ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** A Slurm controller with two nodes on this machine, in a directory of their own. */
export async function startSlurmCluster(): Promise<SlurmCluster> {
  const home = mkdtempSync(join(tmpdir(), 'heterosis-slurm-'));
  mkdirSync(join(home, 'state'));
  mkdirSync(join(home, 'errors'));
  const ports = await Promise.all([0, ...NODES].map(freePort));
  const configuration = join(home, 'slurm.conf');
  const { username } = userInfo();
  writeFileSync(
    configuration,
    [
      'ClusterName=test',
      'SlurmctldHost=localhost',
      `SlurmUser=${username}`,
      `SlurmdUser=${username}`,
      'AuthType=auth/none',
      'CredType=cred/none',
      `SlurmctldPort=${ports[0]}`,
      `StateSaveLocation=${home}/state`,
      `SlurmdSpoolDir=${home}/spool-%n`,
      `SlurmctldPidFile=${home}/controller.pid`,
      `SlurmdPidFile=${home}/%n.pid`,
      'ProctrackType=proctrack/linuxproc',
      'TaskPlugin=task/none',
      'JobAcctGatherType=jobacct_gather/none',
      'MpiDefault=none',
      'ReturnToService=2',
      'SlurmdTimeout=5',
      'SchedulerParameters=sched_min_interval=0,batch_sched_delay=0',
      'SelectType=select/cons_tres',
      'SelectTypeParameters=CR_Core_Memory',
      ...NODES.map(
        (node, index) =>
          `NodeName=${node} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[index + 1]} CPUs=2 RealMemory=16000`,
      ),
      `PartitionName=main Nodes=${NODES.join(',')} Default=YES State=UP`,
    ].join('\n'),
  );
  const environment = { SLURM_CONF: configuration };
  const start = (program: string, options: string[]): ChildProcess =>
    spawn(program, options, { env: { ...process.env, ...environment }, stdio: 'ignore' });
  const ask = (program: string, options: string[]): string =>
    execFileSync(program, options, { env: { ...process.env, ...environment }, encoding: 'utf8', stdio: 'pipe' });
  const controller = start('slurmctld', ['-D', '-i']);
  const daemons = new Map(NODES.map((node) => [node, start('slurmd', ['-D', '-N', node])]));
  const deadline = Date.now() + START_MS;
  for (;;) {
    const idle = await Promise.resolve()
      .then(() => ask('sinfo', ['--noheader', '--Node', '--states=idle', '--format=%n']).trim().split('\n'))
      .catch(() => []);
    if (idle.length === NODES.length) break;
    if (Date.now() > deadline) throw new Error(`Slurm did not start within ${START_MS / 1000} s in ${home}.`);
    await sleep(100);
  }
  const jobs: SlurmCluster['jobs'] = () =>
    ask('scontrol', ['--oneliner', 'show', 'jobs'])
      .split('\n')
      .filter((line) => line.startsWith('JobId='))
      .map((line) => {
        const field = (name: string) => new RegExp(`(?:^| )${name}=(\\S*)`).exec(line)?.[1] ?? '';
        return {
          id: field('JobId'),
          name: field('JobName'),
          state: field('JobState'),
          node: field('BatchHost'),
          restarts: Number(field('Restarts')),
          log: field('StdOut'),
        };
      });
  const processesOn = (node: string): NodeProcess[] => {
    const here = new Set(jobs().flatMap((job) => (job.node === node ? [job.id] : [])));
    return processesOf(configuration).filter((one) => one.node === node || (one.job !== '' && here.has(one.job)));
  };
  return {
    environment,
    jobs,
    freeze(node) {
      const reached = signalAll(() => processesOn(node), 'SIGSTOP');
      return [...new Set(reached.flatMap(({ node: own, job }) => (own === node && job !== '' ? [job] : [])))];
    },
    thaw(node) {
      for (const { pid } of processesOn(node)) signal(pid, 'SIGCONT');
    },
    async killNode(node) {
      const daemon = daemons.get(node);
      if (daemon?.kill('SIGKILL') === true) await once(daemon, 'exit');
      // What the daemon was starting for a job has no name yet. It gets one, or ends with the daemon.
      do {
        signalAll(() => processesOn(node), 'SIGKILL');
        await sleep(10);
      } while (processesOf(configuration).some(({ node: own, job }) => own === '' && job === ''));
      signalAll(() => processesOn(node), 'SIGKILL');
      // The controller would find out by itself within half a minute.
      ask('scontrol', ['update', `NodeName=${node}`, 'State=DOWN', 'Reason=power']);
    },
    startNow: (job) => void ask('scontrol', ['update', `JobId=${job}`, 'StartTime=now']),
    keepErrors: `--error=${home}/errors/%j`,
    report: () =>
      jobs()
        .map(({ id, name, state, node, restarts }) => {
          const file = join(home, 'errors', id);
          const said = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
          return `${id} ${name} ${state} on ${node || 'no node'}, restarts ${restarts}${said === '' ? '' : `:\n${said}`}`;
        })
        .join('\n'),
    async stop() {
      const running = [...daemons.values(), controller].filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      );
      for (const { pid } of processesOf(configuration)) signal(pid, 'SIGKILL');
      await Promise.all(
        running.map((one) => {
          one.kill('SIGKILL');
          return once(one, 'exit');
        }),
      );
      rmSync(home, { recursive: true, force: true });
    },
  };
}

interface NodeProcess {
  pid: number;
  /** Empty for the programs of Slurm that look after one job each. */
  node: string;
  /** Empty for the daemon of a node, and for what it is about to start. */
  job: string;
}

/** Until a look finds nobody new: what is not stopped yet may start others while it is looked. */
function signalAll(look: () => NodeProcess[], name: NodeJS.Signals): NodeProcess[] {
  const reached = new Map<number, NodeProcess>();
  for (;;) {
    const fresh = look().filter(({ pid }) => !reached.has(pid));
    if (fresh.length === 0) return [...reached.values()];
    for (const one of fresh) {
      signal(one.pid, name);
      reached.set(one.pid, one);
    }
  }
}

/** Daemons of nodes, the programs of jobs, and those of Slurm that look after a job each (`slurmstepd: [12.batch]`). */
function processesOf(configuration: string): NodeProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (!environment.includes(`SLURM_CONF=${configuration}`)) return [];
      const pid = Number(name);
      const valueOf = (variable: string) =>
        environment.find((one) => one.startsWith(`${variable}=`))?.slice(variable.length + 1);
      const node = valueOf('SLURMD_NODENAME');
      if (node !== undefined) return [{ pid, node, job: valueOf('SLURM_JOB_ID') ?? '' }];
      const program = readFileSync(`/proc/${name}/comm`, 'utf8').trim();
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (program === 'slurmd') return [{ pid, node: command.split('\0')[3] ?? '', job: '' }];
      return program === 'slurmstepd' ? [{ pid, node: '', job: /\[(\d+)\./.exec(command)?.[1] ?? '' }] : [];
    } catch {
      // No process, or one that has ended meanwhile.
      return [];
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
