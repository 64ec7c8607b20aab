// Panels from n × n to m × m: the estimate before the start against what the run takes.
// `npm run bench large-panels`, or with a command and sizes: `node large-panels.bench.ts train 100000 10000 2`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useFullSpeed } from '@heterosis/statgen/bench/bare-products';
import { writeLargePanel } from '@heterosis/statgen/bench/write-large-panel';
import { runHeterosis } from './run-heterosis.ts';

interface Run {
  command: string[];
  n: number;
  markers: number;
  threads?: number;
}

const RUNS: Run[] = [
  { command: ['train'], n: 1_500, markers: 8_000 },
  { command: ['train'], n: 4_000, markers: 1_500 },
  { command: ['train'], n: 20_000, markers: 2_000 },
  { command: ['train', '--engine', 'individuals'], n: 2_500, markers: 2_500 },
  { command: ['gwas', '--test', 'LRT'], n: 1_000, markers: 20_000 },
  { command: ['gwas', '--test', 'LRT'], n: 10_000, markers: 1_500 },
  { command: ['gwas', '--test', 'SCORE', '--loco'], n: 20_000, markers: 2_000 },
  { command: ['evaluate'], n: 800, markers: 10_000 },
  { command: ['evaluate'], n: 2_000, markers: 5_000 },
  { command: ['evaluate'], n: 12_000, markers: 800 },
  { command: ['train', '--dominance'], n: 4_000, markers: 1_000 },
  { command: ['evaluate', '--dominance'], n: 3_000, markers: 300 },
];

const [command, n, markers, threads] = process.argv.slice(2);
const runs =
  command === undefined
    ? RUNS
    : [{ command: command.split(' '), n: Number(n), markers: Number(markers), threads: Number(threads ?? 1) }];
const core = useFullSpeed();
process.stdout.write(`OpenBLAS kernels ${core}\n`);
const parent = join(tmpdir(), 'engine');
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, 'bench-'));
const written = new Set<string>();
try {
  for (const run of runs) {
    const name = `panel-${run.n}-${run.markers}`;
    if (!written.has(name)) writeLargePanel(folder, name, { n: run.n, markers: run.markers });
    written.add(name);
    const args = [...run.command, '--genotype', name, '--phenotype', `${name}.csv`, '--trait', 'y', '--out', 'out'];
    const { summary } = runHeterosis([...args, '--estimate'], folder, run.threads);
    const estimate = summary as { engine: string; seconds: number; memory_mb: number };
    const own = runHeterosis(args, folder, run.threads);
    process.stdout.write(
      `${run.command.join(' ').padEnd(28)} ${String(run.n).padStart(8)} × ${String(run.markers).padEnd(6)} ${estimate.engine.padEnd(12)} ` +
        `estimate ${estimate.seconds.toFixed(1).padStart(7)} s ${String(estimate.memory_mb).padStart(6)} MB   ` +
        `CPU ${own.cpuSeconds.toFixed(1).padStart(7)} s, clock ${own.wallSeconds.toFixed(1).padStart(7)} s, ${Math.round(own.peakMegabytes)} MB   ` +
        `ratio ${(own.cpuSeconds / (run.threads ?? 1) / estimate.seconds).toFixed(2)}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
