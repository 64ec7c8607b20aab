import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SlurmCluster {
  /** For programs that submit jobs. */
  environment: Record<string, string>;
  /** All jobs that the controller knows, with the node of those that began. */
  jobs(): { id: string; name: string; state: string; node: string; restarts: number; log: string }[];
  /** Stops everything that runs on a node, or lets it go on. */
  freeze(node: string): void;
  thaw(node: string): void;
  /** Kills the daemon of a node with everything that runs there, as when its power fails. */
  killNode(node: string): void;
  /** A job that lost its node otherwise waits two minutes. */
  startNow(job: string): void;
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
  return {
    environment,
    jobs: () =>
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
        }),
    freeze(node) {
      signalAll(configuration, node, 'SIGSTOP');
    },
    thaw(node) {
      for (const pid of processesOf(configuration, node)) signal(pid, 'SIGCONT');
    },
    killNode(node) {
      daemons.get(node)?.kill('SIGKILL');
      signalAll(configuration, node, 'SIGKILL');
      // The controller would find out by itself within half a minute.
      ask('scontrol', ['update', `NodeName=${node}`, 'State=DOWN', 'Reason=power']);
    },
    startNow: (job) => void ask('scontrol', ['update', `JobId=${job}`, 'StartTime=now']),
    async stop() {
      const running = [...daemons.values(), controller].filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      );
      for (const node of NODES) for (const pid of processesOf(configuration, node)) signal(pid, 'SIGKILL');
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

/** Until a look finds nobody new: what is not stopped yet may start others while it is looked. */
function signalAll(configuration: string, node: string, name: NodeJS.Signals): void {
  const reached = new Set<number>();
  for (;;) {
    const fresh = processesOf(configuration, node).filter((pid) => !reached.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      signal(pid, name);
      reached.add(pid);
    }
  }
}

/** What a job started on a node, and the program of Slurm that looks after it. */
function processesOf(configuration: string, node: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (!environment.includes(`SLURM_CONF=${configuration}`) || !environment.includes(`SLURMD_NODENAME=${node}`))
        return [];
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const isStep = readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('slurmstepd');
      return isStep ? [Number(parent), Number(name)] : [Number(name)];
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
