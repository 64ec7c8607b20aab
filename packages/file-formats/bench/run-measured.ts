import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Resources that a program used. */
export interface Measured {
  /** Wall time; says little on a shared machine. */
  wallSeconds: number;
  /** User and system CPU time; with one thread, the time on an idle machine. */
  cpuSeconds: number;
  /** Largest resident set. */
  peakMegabytes: number;
  stdout: string;
}

const TIME = '/usr/bin/time';

/**
 * Ends the benchmark with a reason and exit code 0 if GNU time is missing: nothing else measures a child's peak
 * memory.
 */
export function requireGnuTime(): void {
  if (existsSync(TIME) && spawnSync(TIME, ['--version'], { encoding: 'utf8' }).stdout.includes('GNU')) return;
  process.stdout.write(`Skipped: GNU time is not installed as ${TIME} (Debian: apt-get install time).\n`);
  process.exit(0);
}

/** Whether a program is on the PATH; prints a note when it is not. */
export function hasPeer(program: string): boolean {
  if ((process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))) return true;
  process.stdout.write(
    `${program} is not installed (Debian: apt-get install ${program}): the comparison is left out.\n`,
  );
  return false;
}

/**
 * Runs a program with one thread and measures it from start to end, its own start included.
 *
 * @throws Error with the program's output when it fails
 */
export function runMeasured(program: string, args: readonly string[], cwd: string): Measured {
  const figures = join(cwd, 'time.txt');
  const { status, stdout, stderr, error } = spawnSync(TIME, ['-o', figures, '-f', '%e %U %S %M', program, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
  });
  if (status !== 0) {
    const words = error?.message ?? `${stdout}${stderr}`.slice(-2000);
    throw new Error(`${program} ${args.join(' ')} failed: ${words}`);
  }
  const [wall, user, system, kilobytes] = readFileSync(figures, 'utf8').trim().split(' ').map(Number);
  return {
    wallSeconds: wall ?? Number.NaN,
    cpuSeconds: (user ?? Number.NaN) + (system ?? Number.NaN),
    peakMegabytes: (kilobytes ?? Number.NaN) / 1024,
    stdout,
  };
}

/** Runs `work` with a temporary folder, removed afterwards. */
export async function withFolder(work: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'heterosis-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints a line of the report. */
export function print(name: string, figures: string): void {
  process.stdout.write(`${name.padEnd(46)} ${figures}\n`);
}

/** CPU seconds, wall seconds and peak memory in columns. */
export function figuresOf({ cpuSeconds, wallSeconds, peakMegabytes }: Measured): string {
  return `${cpuSeconds.toFixed(2).padStart(8)} CPU s  ${wallSeconds.toFixed(2).padStart(8)} s on the clock  ${peakMegabytes.toFixed(0).padStart(6)} MB`;
}

/**
 * Runs two programs alternately, so that a slow minute affects both, and prints the best run of each and the spread of
 * the ratio second ÷ first. A first round warms the caches.
 */
export function compareInTurns(programs: Record<string, () => Measured>, turns: number): void {
  const runs = Object.values(programs).map((): Measured[] => []);
  for (let turn = 0; turn <= turns; turn++) {
    for (const [i, run] of Object.values(programs).entries()) {
      const measured = run();
      if (turn > 0) runs[i].push(measured);
    }
  }
  const [first, second] = runs;
  for (const [i, name] of Object.keys(programs).entries()) {
    print(`${name}, best by CPU`, figuresOf(runs[i].reduce((a, b) => (b.cpuSeconds < a.cpuSeconds ? b : a))));
  }
  for (const [name, figure] of [
    ['the clock', 'wallSeconds'],
    ['CPU', 'cpuSeconds'],
  ] as const) {
    const ratios = first.map((one, turn) => second[turn][figure] / one[figure]).sort((a, b) => a - b);
    const at = (share: number) => ratios[Math.round(share * (turns - 1))].toFixed(2);
    print(`the second ÷ the first, by ${name}`, `${at(0.5)} (median of ${turns} turns; ${at(0)} to ${at(1)})`);
  }
}
