// Peak memory of a GWAS by the command line. The goal is 1.5 GB at n = 2,000 and m = 1,000,000. That run takes minutes, so
// it is put together from two that are short. Calls are read block by block and the kinship is n × n: what grows with m is
// the table of markers and the columns of results, which do not depend on n. So the growth from few to 1,000,000 markers is
// measured with few individuals and added to the peak at n = 2,000.
import { figuresOf, print, requireGnuTime, runHeterosis, withFolder } from './run-measured.ts';
import { writePanel } from './write-panel.ts';

const INDIVIDUALS = 2000;
const FEW_INDIVIDUALS = 100;
const MARKERS = 200_000;
const ALL_MARKERS = 1_000_000;

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
  const base = peak(INDIVIDUALS, MARKERS);
  const growth = peak(FEW_INDIVIDUALS, ALL_MARKERS) - peak(FEW_INDIVIDUALS, MARKERS);
  print(
    `n = ${INDIVIDUALS}, m = ${ALL_MARKERS}`,
    `${(base + growth).toFixed(0)} MB, PUT TOGETHER, not run; ${base + growth <= 1536 ? 'within' : 'beyond'} 1.5 GB`,
  );
});
