// A GWAS from .bed to CSV by the command line, one thread, against GEMMA's exact mixed model and against the bare matrix
// products of the same shapes, all from this run. Goals at 1,000 × 100,000: LRT at least 10 times as fast as
// `gemma -gk 1` and `-lmm 2`, all three tests at least 14 times as fast as `-gk 1` and `-lmm 4`, and at most 1.5 times the
// bare products. GEMMA's -gk 1 is the centred kinship and ours the standardized one: the work is the same, the p-values are not.
import { join } from 'node:path';
import { bareGwas, useFullSpeed } from '@heterosis/statgen/bench/bare-products';
import { figuresOf, hasPeer, print, requireGnuTime, runHeterosis, runMeasured, withFolder } from './run-measured.ts';
import { writePanel } from './write-panel.ts';

/** GEMMA's tests are timed on the first markers of the panel: few and many, for what it does once and per marker. */
const FEW = 500;
const MANY = 5000;

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
requireGnuTime();
const kernels = useFullSpeed();

await withFolder((folder) => {
  writePanel(folder, 'panel', { n, markers, subsets: [FEW, MANY] });
  process.stdout.write(
    `n = ${n}, m = ${markers}, OpenBLAS kernels ${kernels}, one thread each; ratios of CPU seconds\n`,
  );
  const bare = bareGwas(n, markers);
  print('bare dsyrk + dsyevd + dgemm', `${bare.total.toFixed(2).padStart(8)} CPU s`);

  const ours = (test: string) => {
    const input = ['--genotype', 'panel', '--phenotype', 'panel.csv', '--trait', 'y'];
    const run = runHeterosis(['gwas', ...input, '--test', test, '--out', `${test}.csv`], folder);
    print(`heterosis gwas --test ${test}`, `${figuresOf(run)}  ${(run.cpuSeconds / bare.total).toFixed(2)} × bare`);
    return run.cpuSeconds;
  };
  const lrt = ours('LRT');
  const allThree = lrt + ours('WALD') + ours('SCORE');

  if (!hasPeer('gemma')) return;
  const gemma = (analysis: string[], count: number, rest: string[] = []) => {
    const panel = count === markers ? 'panel' : `panel-${count}`;
    const run = runMeasured('gemma', ['-bfile', panel, ...rest, ...analysis, '-o', analysis.join('').slice(1)], folder);
    print(`gemma ${analysis.join(' ')}, ${count} markers`, figuresOf(run));
    return run.cpuSeconds;
  };
  const kinship = gemma(['-gk', '1'], markers);
  const withAll = (test: string) => {
    const [few = Number.NaN, many = Number.NaN] = [FEW, MANY].map((count) =>
      gemma(['-lmm', test], count, ['-k', join('output', 'gk1.cXX.txt')]),
    );
    const perMarker = (many - few) / (MANY - FEW);
    const once = few - FEW * perMarker;
    const scaled = once + markers * perMarker;
    print(
      `gemma -lmm ${test}, ${markers} markers`,
      `${scaled.toFixed(2).padStart(8)} CPU s  SCALED, not run: ${once.toFixed(2)} s once + ${(1000 * perMarker).toFixed(3)} ms a marker`,
    );
    return kinship + scaled;
  };
  print('GEMMA -gk 1 and -lmm 2 ÷ our LRT', `${(withAll('2') / lrt).toFixed(1).padStart(8)}`);
  print(
    'GEMMA -gk 1 and -lmm 4 ÷ our three tests',
    `${(withAll('4') / allThree).toFixed(1).padStart(8)}  three runs of ours, each with its own kinship`,
  );
});
