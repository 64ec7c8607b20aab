// What breeders do with plink2 besides GWAS, by `heterosis` and by plink2, whole programs with one thread: best of
// three turns by CPU seconds. Both write the same calls; a kinship of ours has 17 digits where plink2 prints 6, its
// --export of bgzip deflates a sixteenth smaller, and `heterosis qc` finds duplicates and principal components on top
// of the counts.
import {
  figuresOf,
  hasPeer,
  type Measured,
  print,
  requireGnuTime,
  runMeasured,
  withFolder,
} from '@heterosis/file-formats/bench/run-measured';
import { runHeterosis } from './run-heterosis.ts';
import { writePanel } from './write-panel.ts';

const TURNS = 3;

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
requireGnuTime();

const input = ['--genotype', 'panel'];
const exported = (format: string, out: string) => ['export', ...input, '--format', format, '--out', out];
/** Arguments of heterosis, and of plink2 where it does the same. */
const TASKS: Record<string, [ours: string[], peer: string[]]> = {
  'export VCF': [exported('vcf', 'ours.vcf'), ['--export', 'vcf']],
  'export VCF, bgzip': [exported('vcf', 'ours.vcf.gz'), ['--export', 'vcf', 'bgz']],
  'export PLINK text': [exported('plink-text', 'ours'), ['--export', 'ped']],
  'export numbers, individuals in rows': [exported('numeric', 'ours.csv'), ['--export', 'A']],
  'export numbers, markers in rows': [exported('numeric-by-marker', 'ours.csv'), ['--export', 'Av']],
  'export HapMap': [exported('hapmap', 'ours.hmp.txt'), []],
  'import HapMap': [['import', '--genotype', 'ours.hmp.txt', '--out', 'imported'], []],
  'import numbers': [['import', '--genotype', 'ours.csv', '--out', 'imported'], []],
  kinship: [
    ['kinship', ...input, '--out', 'kinship.csv'],
    ['--make-rel', 'square'],
  ],
  'quality figures, components, duplicates': [
    ['qc', ...input],
    ['--freq', '--missing', '--hardy', '--pca', '5', 'approx'],
  ],
};

await withFolder((folder) => {
  writePanel(folder, 'panel', { n, markers });
  process.stdout.write(`n = ${n}, m = ${markers}, --threads 1, best of ${TURNS} turns\n`);
  const isPeer = hasPeer('plink2');
  for (const [task, [ours, peer]] of Object.entries(TASKS)) {
    const runs: Record<'ours' | 'peer', Measured[]> = { ours: [], peer: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      runs.ours.push(runHeterosis(ours, folder));
      if (!isPeer || peer.length === 0) continue;
      runs.peer.push(runMeasured('plink2', ['--bfile', 'panel', ...peer, '--threads', '1', '--out', 'peer'], folder));
    }
    const best = (measured: Measured[]) => measured.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds).slice(0, 1);
    const [[one], [other]] = [best(runs.ours), best(runs.peer)];
    if (one !== undefined) print(task, figuresOf(one));
    if (one === undefined || other === undefined) continue;
    print('  plink2', `${figuresOf(other)}  ${(other.cpuSeconds / one.cpuSeconds).toFixed(2)} × ours`);
  }
});
