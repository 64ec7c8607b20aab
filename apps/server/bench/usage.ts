import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchProduct } from './bench-product.ts';

/** CPU seconds and largest resident sets of the server and of what it has started. */
export class Usage {
  readonly #server: number;
  /** PostgreSQL is no child of the server. */
  readonly #directory: string;
  readonly #seen = new Map<
    number,
    { name: string; peakMb: number; cpu: number; cpuBefore: number; rssBefore: number }
  >();
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor({ process: { pid = 0 }, directory }: BenchProduct) {
    this.#server = pid;
    this.#directory = directory;
    for (const pid of this.#family()) this.#look(pid, true);
    this.#done = this.#watch();
  }

  #family(): number[] {
    const parentOf = new Map(
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => [Number(pid), Number(fieldsOf(Number(pid))?.[1] ?? 0)]),
    );
    const belongs = (pid: number | undefined): boolean =>
      pid !== undefined &&
      pid > 1 &&
      (pid === this.#server || belongs(parentOf.get(pid)) || commandOf(pid).includes(this.#directory));
    return [...parentOf.keys()].filter(belongs);
  }

  #look(pid: number, isBefore: boolean): void {
    const fields = fieldsOf(pid);
    const status = read(`/proc/${pid}/status`);
    if (fields === undefined || status === undefined) return;
    const name = commandOf(pid);
    const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    const one = this.#seen.get(pid) ?? { name, peakMb: 0, cpu, cpuBefore: isBefore ? cpu : 0, rssBefore: rss };
    this.#seen.set(pid, { ...one, cpu, peakMb: Math.max(one.peakMb, rss) });
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      for (const pid of this.#family()) this.#look(pid, false);
      await sleep(20);
    }
  }

  /** Ends the watching. */
  async end() {
    this.#stop.abort();
    await this.#done;
    const all = [...this.#seen.values()];
    const isChild = ({ name }: { name: string }) => name.includes('compute/child.ts');
    const server = this.#seen.get(this.#server);
    return {
      cpuSeconds: all.reduce((sum, { cpu, cpuBefore }) => sum + cpu - cpuBefore, 0),
      databaseCpu: all
        .filter(({ name }) => name.includes('postgres'))
        .reduce((sum, { cpu, cpuBefore }) => sum + cpu - cpuBefore, 0),
      serverMb: server?.peakMb ?? Number.NaN,
      serverGrowthMb: (server?.peakMb ?? Number.NaN) - (server?.rssBefore ?? 0),
      childMb: Math.max(0, ...all.filter(isChild).map(({ peakMb }) => peakMb)),
    };
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const commandOf = (pid: number): string => (read(`/proc/${pid}/cmdline`) ?? '').split('\0').join(' ');

/** What follows the name in `/proc/PID/stat`; undefined when the process has ended. */
const fieldsOf = (pid: number): string[] | undefined => read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');

/** Processes that were ready in the last minute. */
export const loadNow = (): string => read('/proc/loadavg')?.split(' ')[0] ?? '?';
