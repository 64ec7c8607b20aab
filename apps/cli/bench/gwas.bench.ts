// A GWAS from .bed to CSV by the command line, one thread, against GEMMA's exact mixed model and against the bare
// matrix products of the same shapes, all from this run. Goals at 1,000 × 100,000: LRT at least 10 times as fast as
// `gemma -gk 1` and `-lmm 2`, all three tests at least 14 times as fast as `-gk 1` and `-lmm 4`, and at most 1.5
// times the bare products. GEMMA's -gk 1 is the centred kinship and ours the standardized one: the work is the same,
// the p-values are not. On a machine that others use, one run says little: the short programs run in turns, and the
// best of each counts; GEMMA's long tests run once.
import { join } from 'node:path';
import {
  figuresOf,
  hasPeer,
  type Measured,
  print,
  requireGnuTime,
  runMeasured,
  withFolder,
} from '@heterosis/file-formats/bench/run-measured';
import { bareGwas, useFullSpeed } from '@heterosis/statgen/bench/bare-products';
import { runHeterosis } from './run-heterosis.ts';
import { writePanel } from './write-panel.ts';

/** Repetitions of the short programs. */
const TURNS = 5;

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
requireGnuTime();
const kernels = useFullSpeed();

await withFolder((folder) => {
  writePanel(folder, 'panel', { n, markers });
  process.stdout.write(
    `n = ${n}, m = ${markers}, OpenBLAS kernels ${kernels}, one thread each; best of ${TURNS} turns, ratios of CPU seconds\n`,
  );
  const gemma = (name: string, ...args: string[]) =>
    runMeasured('gemma', ['-bfile', 'panel', ...args, '-o', name], folder);
  const isGemma = hasPeer('gemma');
  const tests = ['SCORE', 'WALD', 'LRT', 'ALL'] as const;
  const ours: Partial<Record<(typeof tests)[number], Measured>> = {};
  let kinship: Measured | undefined;
  let bare = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    bare = Math.min(bare, bareGwas(n, markers).total);
    if (isGemma) kinship = faster(kinship, gemma('gk', '-gk', '1'));
    for (const test of tests) {
      const input = ['--genotype', 'panel', '--phenotype', 'panel.csv', '--trait', 'y'];
      ours[test] = faster(ours[test], runHeterosis(['gwas', ...input, '--test', test, '--out', `${test}.csv`], folder));
    }
  }
  print('bare dsyrk + dsyevd + dgemm', `${bare.toFixed(2).padStart(8)} CPU s`);
  for (const test of tests) {
    const run = ours[test];
    if (run === undefined) continue;
    print(`heterosis gwas --test ${test}`, `${figuresOf(run)}  ${(run.cpuSeconds / bare).toFixed(2)} × bare`);
  }
  if (kinship === undefined) return;
  print('gemma -gk 1', figuresOf(kinship));
  for (const [test, name] of [
    ['2', 'LRT'],
    ['4', 'ALL'],
  ] as const) {
    const peer = gemma(`lmm${test}`, '-k', join('output', 'gk.cXX.txt'), '-lmm', test);
    print(`gemma -lmm ${test}`, figuresOf(peer));
    const run = ours[name];
    if (run === undefined) continue;
    print(
      `GEMMA -gk 1 and -lmm ${test} ÷ heterosis --test ${name}`,
      `${((kinship.cpuSeconds + peer.cpuSeconds) / run.cpuSeconds).toFixed(2)} by CPU, ${((kinship.wallSeconds + peer.wallSeconds) / run.wallSeconds).toFixed(2)} by the clock`,
    );
  }
});

/** The run with the lower CPU time. */
function faster(one: Measured | undefined, other: Measured): Measured {
  return one !== undefined && one.cpuSeconds <= other.cpuSeconds ? one : other;
}
