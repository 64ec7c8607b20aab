import type { FileType } from '@heterosis/contracts/data/files';
import type { RunPath } from '@heterosis/contracts/work/run-kinds';

const LINES = 30;
const MARKERS = 60;

/** Inbred lines on two chromosomes, and a trait that some of their markers shift. */
const allele = (line: number, marker: number): number =>
  (line * 7 + marker * (line % 5) + (marker >> 2)) % 3 === 0 ? 1 : 0;
const VCF: string = [
  '##fileformat=VCFv4.2',
  `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${Array.from({ length: LINES }, (_, line) => `L${line}`).join('\t')}`,
  ...Array.from({ length: MARKERS }, (_, marker) =>
    [
      1 + Math.floor((2 * marker) / MARKERS),
      1000 * (marker + 1),
      `m${marker}`,
      'A\tC\t.\t.\t.\tGT',
      ...Array.from({ length: LINES }, (_, line) => (allele(line, marker) === 1 ? '1/1' : '0/0')),
    ].join('\t'),
  ),
  '',
].join('\n');
const PHENOTYPE: string = `line,Yield\n${Array.from({ length: LINES }, (_, line) => `L${line},${50 + 3 * allele(line, 5) - 2 * allele(line, 40) + ((line * 13) % 7) / 7}`).join('\n')}\n`;
/** Two fields of four rows and six columns, two replicates of twelve lines each. */
const PLOTS: string = [
  'environment,replicate,row,column,line,Yield',
  ...['North', 'South'].flatMap((place, at) =>
    Array.from({ length: 24 }, (_, plot) => {
      const line = (plot * (at === 0 ? 5 : 7) + Math.floor(plot / 12)) % 12;
      const value = 40 + 10 * at + ((line * 5) % 12) + ((plot * 37 + at * 11) % 17) / 8;
      return [place, plot < 12 ? 1 : 2, Math.floor(plot / 6) + 1, (plot % 6) + 1, `L${line}`, value].join(',');
    }),
  ),
  '',
].join('\n');
const CROSSES: string = 'female,male\nL1,L2\nL3,L4\n';
const PEDIGREE: string = `name,female,male\n${Array.from({ length: LINES - 2 }, (_, line) => `L${line + 2},L${line},L${line + 1}`).join('\n')}\n`;

export interface ExampleFile {
  name: string;
  fileType: FileType;
  bytes: string;
}

type ExampleInput = 'genotype_id' | 'phenotype_id' | 'plots_id' | 'crossing_table_id' | 'pedigree_id';

/** By the inputs of runs that they are. */
export const EXAMPLE_FILES: Readonly<Record<ExampleInput, ExampleFile>> = {
  genotype_id: { name: 'g.vcf', fileType: 'GENOTYPE', bytes: VCF },
  phenotype_id: { name: 'p.csv', fileType: 'PHENOTYPE', bytes: PHENOTYPE },
  plots_id: { name: 'plots.csv', fileType: 'PHENOTYPE', bytes: PLOTS },
  crossing_table_id: { name: 'c.csv', fileType: 'CROSSING_TABLE', bytes: CROSSES },
  pedigree_id: { name: 'pedigree.csv', fileType: 'PEDIGREE', bytes: PEDIGREE },
};

/** What the runs of a project are made from. */
export interface RunInputs extends Record<ExampleInput | 'model_id', string> {
  trait: string;
  /** Lines, and a marker allele that only the first of them has, and one that only the second has. */
  lines: readonly [string, string, string];
  targets: readonly { marker: string; allele: string }[];
}

/** What the files above say: of these lines only L0 has C at m0, only L1 at m4. */
export const EXAMPLE_PANEL: Pick<RunInputs, 'trait' | 'lines' | 'targets'> = {
  trait: 'Yield',
  lines: ['L0', 'L1', 'L2'],
  targets: ['m0', 'm4'].map((marker) => ({ marker, allele: 'C' })),
};

/** Three cycles of crosses, doubled haploids and trials. */
const SCHEME = {
  ...{ name: 'One', cycles: 3, error: { environment: 1, plot: 1 }, costs: { cross: 20, dh: 30, plot: 25 } },
  start: [{ do: 'take', from: 'founders', range: [1, 3], into: 'parents' }],
};

/** The request for a small run of a kind, which says all that must be said. */
export function exampleRun(path: RunPath, name: string, inputs: RunInputs): object {
  const { genotype_id, phenotype_id, plots_id, crossing_table_id, pedigree_id, model_id } = inputs;
  const { trait, targets } = inputs;
  const traits = [trait];
  const [first, second, recurrent] = inputs.lines;
  const cycle = [
    { do: 'measure', stage: 'candidates', population: 'parents' },
    { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
    { do: 'dh', from: 'F1', lines: 4, into: 'lines', years: 1 },
    { do: 'phenotype', population: 'lines', trait, environments: 2, replicates: 2, as: 'y', years: 1 },
    { do: 'measure', stage: 'tested', population: 'lines', criterion: 'y' },
    { do: 'select', from: 'lines', by: 'y', count: 3, into: 'parents' },
    { do: 'measure', stage: 'selected', population: 'parents' },
  ];
  const bodies: Record<RunPath, object> = {
    models: { name, traits, genotype_id, phenotype_id, n_fold: 3, n_repetition: 1 },
    predictions: { name, model_id, genotype_id },
    gwas: { name, traits, genotype_id, phenotype_id },
    trial_analyses: { name, traits, phenotype_ids: [plots_id] },
    parentage_checks: { name, genotype_id, pedigree: 'file', pedigree_id },
    crossing_plans: { name, model_id, genotype_id, crosses: 4, max_uses: 2 },
    crossing_simulations: { name, model_id, crossing_table_id, progeny: 20, seed: 1 },
    stacking_plans: { name, genotype_id, donors: [first, second], recurrent, targets, replicates: 20 },
    programmes: {
      ...{ name, genotype_id, replicates: 4, architecture: [{ trait, qtl: 20, variance: 1 }] },
      schemes: [{ ...SCHEME, cycle }],
    },
  };
  return bodies[path];
}
