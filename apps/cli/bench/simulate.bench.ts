// A programme of 20 cycles: 200 crosses × 50 DH, genomic selection of 1,000 lines for a trial of 1,000 plots, and a
// refit to 2,000 records at 10,000 loci a cycle. The goal for 100 replicates is 5 minutes and 2 GB on two quiet cores.
// Beside it the reference's DH programme, of which AlphaSimR 2.1.0 took 0.238 CPU seconds a replicate.
// Arguments: replicates of the large programme (100), threads (2).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figuresOf, print, requireGnuTime, withFolder } from '@heterosis/file-formats/bench/run-measured';
import { runHeterosis } from './run-heterosis.ts';

const REPLICATES = Number(process.argv[2] ?? 100);
const THREADS = Number(process.argv[3] ?? 2);
const CHROMOSOMES = 10;
const LOCI = 1030;
const QTL = 30;
const FOUNDERS = 60;
const CYCLES = 20;
const GOAL_SECONDS = 300;
const ALPHASIMR_CPU_SECONDS = 0.238;
const DH_REPLICATES = 1000;

const SCHEME = {
  name: 'large',
  cycles: CYCLES,
  error: { environment: 5 / 6, plot: 1.5 },
  start: [
    { do: 'phenotype', population: 'founders', trait: 'y', environments: 3, replicates: 2, as: 'p' },
    { do: 'train', model: 'gs', population: 'founders', column: 'p', window: 2 },
    { do: 'select', from: 'founders', by: 'p', count: 40, into: 'parents' },
  ],
  cycle: [
    { do: 'cross', from: 'parents', plan: 'random', crosses: 200, into: 'F1' },
    { do: 'dh', from: 'F1', lines: 50, into: 'dh' },
    { do: 'genotype', population: 'dh' },
    { do: 'predict', model: 'gs', population: 'dh', as: 'gebv' },
    { do: 'measure', stage: 'dh', population: 'dh', criterion: 'gebv' },
    { do: 'select', from: 'dh', by: 'gebv', count: 1000, per_family: 20, into: 'trial' },
    { do: 'phenotype', population: 'trial', trait: 'y', environments: 1, replicates: 1, as: 'p', years: 1 },
    { do: 'train', model: 'gs', population: 'trial', column: 'p', window: 2 },
    { do: 'predict', model: 'gs', population: 'trial', as: 'gebv' },
    { do: 'select', from: 'trial', by: 'gebv', count: 40, per_family: 2, into: 'parents' },
    { do: 'measure', stage: 'parents', population: 'parents' },
  ],
};

/** Alleles of 60 lines in blocks of linkage, without a random generator: the same on every machine. */
const allele = (line: number, locus: number): number =>
  ((line + 1) * (Math.floor(locus / 5) + 7919) * 2_654_435_761) % 4_294_967_296 < 2_147_483_648 ? 0 : 1;

function writeFounders(folder: string): void {
  const loci = Array.from({ length: CHROMOSOMES * LOCI }, (_, j) => j);
  const isQtl = (j: number) => j % Math.floor(LOCI / QTL) === 3;
  const table = (name: string, rows: string[]) => writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  table('map.csv', [
    'locus,chromosome,position_cM,kind',
    ...loci.map((j) => `l${j},${Math.floor(j / LOCI) + 1},${(j % LOCI) / 10},${isQtl(j) ? 'qtl' : 'chip'}`),
  ]);
  table('haplotypes.csv', [
    `locus,${Array.from({ length: FOUNDERS }, (_, i) => `L${i}`).join(',')}`,
    ...loci.map((j) => `l${j},${Array.from({ length: FOUNDERS }, (_, i) => allele(i, j)).join(',')}`),
  ]);
  table('effects.csv', ['locus,y_a', ...loci.filter(isQtl).map((j) => `l${j},${(Math.sin(j) / 10).toFixed(4)}`)]);
  table('scheme.json', [JSON.stringify(SCHEME)]);
}

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const reference = (name: string) => fromHere(`../../../packages/statgen/reference/programmes/${name}.csv`);
const page = readFileSync(fromHere('../../../docs/user-guide/programmes.md'), 'utf8');

requireGnuTime();
await withFolder((folder) => {
  writeFounders(folder);
  const files = ['--haplotypes', 'haplotypes.csv', '--map', 'map.csv', '--effects', 'effects.csv'];
  const count = ['--replicates', String(REPLICATES)];
  const run = runHeterosis(
    ['simulate', '--scheme', 'scheme.json', ...files, ...count, '--out', 'out.csv'],
    folder,
    THREADS,
  );
  print(`${REPLICATES} replicates × ${CYCLES} cycles, ${THREADS} threads`, figuresOf(run));
  const seconds = ((run.seconds['simulate'] ?? 0) * 100) / REPLICATES;
  print(
    '100 replicates',
    `${seconds.toFixed(0)} s, ${seconds <= GOAL_SECONDS ? 'within' : 'beyond'} ${GOAL_SECONDS} s`,
  );

  const [, dh = ''] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json ?? '');
  writeFileSync(join(folder, 'dh.json'), dh);
  const founders = [
    '--haplotypes',
    reference('haplotypes'),
    '--map',
    reference('map'),
    '--effects',
    reference('effects'),
  ];
  const small = runHeterosis(
    ['simulate', '--scheme', 'dh.json', ...founders, '--replicates', String(DH_REPLICATES), '--out', 'dh.csv'],
    folder,
  );
  const each = (small.seconds['simulate'] ?? 0) / DH_REPLICATES;
  print(
    `DH programme, ${DH_REPLICATES} replicates, one thread`,
    `${(1000 * each).toFixed(1)} ms each, ${(ALPHASIMR_CPU_SECONDS / each).toFixed(1)} × as fast as AlphaSimR`,
  );
});
