// 5 × 10 cross-validation of a rice-sized panel by the command line, one thread. The goal is 0.6 s after reading.

import { figuresOf, print, requireGnuTime, withFolder } from '@heterosis/file-formats/bench/run-measured';
import { bareCrossValidation, useFullSpeed } from '@heterosis/statgen/bench/bare-products';
import { runHeterosis } from './run-heterosis.ts';
import { writePanel } from './write-panel.ts';

const n = Number(process.argv[2] ?? 360);
const markers = Number(process.argv[3] ?? 30_000);
requireGnuTime();
const kernels = useFullSpeed();

await withFolder((folder) => {
  writePanel(folder, 'panel', { n, markers });
  process.stdout.write(`n = ${n}, m = ${markers}, 5 × 10 folds, OpenBLAS kernels ${kernels}, one thread\n`);
  const bare = bareCrossValidation(n, markers, 5, 50);
  const input = ['--genotype', 'panel', '--phenotype', 'panel.csv', '--trait', 'y'];
  const run = runHeterosis(['evaluate', ...input, '--out', 'out.csv'], folder);
  const { seconds } = run;
  const after = (seconds['kinship'] ?? 0) + (seconds['cross-validate'] ?? 0);
  print('heterosis evaluate, start to end', figuresOf(run));
  print(
    'kinship, its calls read and decoded in blocks',
    `${(seconds['kinship'] ?? 0).toFixed(3).padStart(8)} s on the clock`,
  );
  print('50 fits', `${(seconds['cross-validate'] ?? 0).toFixed(3).padStart(8)} s on the clock`);
  print('together', `${after.toFixed(3).padStart(8)} s on the clock, goal 0.6`);
  print('bare dsyrk + 50 dsytrd', `${bare.toFixed(3).padStart(8)} CPU s  ratio ${(after / bare).toFixed(2)}`);
  print('peer', 'none is installed here: rrBLUP, sommer and BGLR are R packages');
});
