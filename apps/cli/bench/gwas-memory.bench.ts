// Peak memory of a GWAS by the command line. The goal is 1.5 GB at n = 2,000 and m = 1,000,000, whatever m. Calls and
// names of markers are read block by block, results are written while the tests run, statistics beyond a million go
// through a temporary file, and the kinship is n × n: runs with few individuals tell that nothing grows with m.
import { figuresOf, print, requireGnuTime, withFolder } from '@heterosis/file-formats/bench/run-measured';
import { runHeterosis } from './run-heterosis.ts';
import { writePanel } from './write-panel.ts';

const INDIVIDUALS = 2000;
const FEW_INDIVIDUALS = 100;
const FEW_MARKERS = 200_000;
const MARKERS = 1_000_000;
const MANY_MARKERS = 3_000_000;
const LIMIT_MEGABYTES = 1536;

requireGnuTime();
process.stdout.write('Peak memory of heterosis gwas --test LRT, one thread\n');
await withFolder((folder) => {
  const peak = (n: number, markers: number) => {
    writePanel(folder, 'panel', { n, markers });
    const input = ['--genotype', 'panel', '--phenotype', 'panel.csv', '--trait', 'y'];
    const run = runHeterosis(['gwas', ...input, '--out', 'out.csv'], folder);
    print(`n = ${n}, m = ${markers}`, figuresOf(run));
    return run.peakMegabytes;
  };
  const least = peak(FEW_INDIVIDUALS, FEW_MARKERS);
  const million = peak(FEW_INDIVIDUALS, MARKERS);
  const many = peak(FEW_INDIVIDUALS, MANY_MARKERS);
  print(
    'growth with m',
    `${((1e6 * (million - least)) / (MARKERS - FEW_MARKERS)).toFixed(0)} bytes a marker up to the first million, ${((1e6 * (many - million)) / (MANY_MARKERS - MARKERS)).toFixed(0)} beyond`,
  );
  const most = peak(INDIVIDUALS, MARKERS);
  print(`n = ${INDIVIDUALS}, m = ${MARKERS}`, `${most <= LIMIT_MEGABYTES ? 'within' : 'beyond'} 1.5 GB`);
});
