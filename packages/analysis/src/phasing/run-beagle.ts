import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { AnalysisError } from '../context.ts';

export interface BeagleRun {
  /** VCF to phase. */
  input: string;
  /** Prefix of Beagle's output: `.vcf.gz` and `.log`. */
  outPrefix: string;
  /** PLINK map in cM; null for 1 cM per Mb. */
  map: string | null;
  seed: number;
  /** Heap of the Java process. */
  memoryMb: number;
  signal: AbortSignal;
  /** Markers done; those of the current window count in proportion to its completed iterations. */
  onProgress: (markersDone: number) => void;
}

/** Where the set-up script unpacks the packages, with a Java launcher, when run without root. */
const UNPACKED = join(import.meta.dirname, '../../../../node_modules/.cache/debian/beagle');
const UNPACKED_JAVA = join(UNPACKED, 'bin/java');

/** Where Debian's package installs the program; its start script accepts neither a path with spaces nor a heap size. */
export const BEAGLE_PATHS: readonly string[] = [
  '/usr/share/beagle/beagle.jar',
  join(UNPACKED, 'usr/share/beagle/beagle.jar'),
  '/usr/share/java/beagle.jar',
  '/usr/local/share/beagle/beagle.jar',
];

/**
 * Settings for breeding panels. Beagle's default, an effective population of 100,000 refined by EM, suits human
 * populations; with 1,000 and no EM the test set has fewer switch errors (0.08 versus 0.11 %), and more iterations
 * fill gaps slightly better.
 */
const PANEL_SETTINGS = ['em=false', 'ne=1000', 'burnin=6', 'iterations=24'];
const ITERATIONS = 24;

/**
 * Runs Beagle 5 (Browning, Tian, Zhou & Browning 2021, Am J Hum Genet 108:1880) on a VCF with one thread, because its
 * result depends on their number.
 *
 * @throws AnalysisError `phasing/beagle-missing`, `phasing/out-of-memory`, `phasing/failed`
 */
export async function runBeagle(run: BeagleRun): Promise<void> {
  const jar = await findJar();
  const java = [
    `-Xmx${run.memoryMb}m`,
    // One garbage-collection thread: many would compete with the other processes for the cores.
    '-XX:+UseSerialGC',
    '-jar',
    jar,
    `gt=${run.input}`,
    `out=${run.outPrefix}`,
    'nthreads=1',
    `seed=${run.seed}`,
    ...(run.map === null ? [] : [`map=${run.map}`]),
    ...PANEL_SETTINGS,
  ];
  const { code, output } = await runJava(java, run);
  if (code !== 0) throw beagleError(output);
}

async function findJar(): Promise<string> {
  for (const path of BEAGLE_PATHS) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    ) {
      return path;
    }
  }
  throw missingProgram('Beagle');
}

function missingProgram(name: string): AnalysisError {
  return new AnalysisError(
    'phasing/beagle-missing',
    `${name} is not installed, and heterozygous genotypes are phased by Beagle.`,
    'Install it: apt-get install beagle (it brings Java).',
  );
}

/** The end of Beagle's output is enough to diagnose a failure. */
const KEPT_OUTPUT = 20_000;

function runJava(args: string[], run: BeagleRun): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(existsSync(UNPACKED_JAVA) ? UNPACKED_JAVA : 'java', args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: run.signal,
    });
    let output = '';
    let line = '';
    const watch = createWindowWatch(run.onProgress);
    const read = (chunk: Buffer) => {
      const text = chunk.toString();
      output = (output + text).slice(-KEPT_OUTPUT);
      line += text;
      const lines = line.split('\n');
      line = lines.pop() ?? '';
      for (const complete of lines) watch(complete);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', (error: NodeJS.ErrnoException) => {
      // A process being stopped may still write: wait for its end.
      if (!run.signal.aborted) reject(error.code === 'ENOENT' ? missingProgram('Java') : error);
    });
    child.on('close', (code) => {
      if (run.signal.aborted) reject(run.signal.reason);
      else resolve({ code, output });
    });
  });
}

/** Follows Beagle's progress output: markers of the window, then one line per iteration. */
function createWindowWatch(onProgress: BeagleRun['onProgress']): (line: string) => void {
  let before = 0;
  let markers = 0;
  let iteration = 0;
  return (line) => {
    const size = /^Study\s+markers:\s+([\d,]+)/.exec(line);
    if (size !== null) {
      // A new window: the previous one is complete.
      if (iteration > 0) before += markers;
      markers = Number(size[1].replaceAll(',', ''));
      iteration = 0;
    }
    const found = /^Phasing iteration (\d+):/.exec(line);
    if (found === null) return;
    iteration = Number(found[1]);
    onProgress(before + markers * (iteration / ITERATIONS));
  };
}

function beagleError(output: string): AnalysisError {
  if (/OutOfMemoryError|Could not reserve enough space/.test(output)) {
    return new AnalysisError(
      'phasing/out-of-memory',
      'Beagle ran out of memory.',
      'Give it more memory (--memory), fewer threads, or phase the chromosomes one by one.',
    );
  }
  const reason =
    /^(?:ERROR:?\s*|Exception in thread .*?: |java\.lang\.\w+: )(.+)$/im.exec(output)?.[1] ?? 'it gave no reason';
  return new AnalysisError(
    'phasing/failed',
    `Beagle could not phase the genotype: ${reason.trim()}`,
    'Check the genotype file; report this when the file looks right.',
    { output: output.slice(-2000) },
  );
}
