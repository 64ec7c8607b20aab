import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';

const LINES = 40;
const MARKERS = 60;

/** Inbred lines, and the last two heterozygous plants, on two chromosomes. */
export function panel(): { vcf: string; phenotype: string } {
  const random = createRandomStream(5, 'programme test');
  const names = [...Array.from({ length: LINES }, (_, i) => `L${i + 1}`), 'H1', 'H2'];
  const values = names.map(() => 0);
  const rows = Array.from({ length: 2 * MARKERS }, (_, j) => {
    const effect = random.normal();
    const cells = names.map((_, i) => {
      const first = random.uniform() < 0.5 ? 1 : 0;
      const second = i < LINES ? first : random.uniform() < 0.5 ? 1 : 0;
      values[i] = (values[i] ?? 0) + effect * (first + second);
      return `${first}/${second}`;
    });
    const chromosome = 1 + Math.floor(j / MARKERS);
    return [chromosome, (1 + (j % MARKERS)) * 2_000_000, `m${j}`, 'A', 'C', '.', '.', '.', 'GT', ...cells].join('\t');
  });
  const header = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t');
  const phenotype = values.slice(0, LINES).map((value, i) => `L${i + 1},${(value + 3 * random.normal()).toFixed(3)}`);
  return {
    vcf: `##fileformat=VCFv4.2\n${header}\n${rows.join('\n')}\n`,
    phenotype: `line,yield\n${phenotype.join('\n')}\n`,
  };
}

/** Truncation among DH lines on one plot, or by genomic selection. */
export const dh = (name: string, lines: number): ProgrammeScheme => ({
  name,
  cycles: 3,
  error: { environment: 1, plot: 4 },
  costs: { cross: 20, dh: 30, plot: 25, genotype: 15 },
  start: [
    { do: 'measure', stage: 'founders', population: 'founders' },
    { do: 'phenotype', population: 'founders', trait: 'yield', environments: 2, replicates: 1, as: 'y' },
    { do: 'select', from: 'founders', by: 'y', count: 6, into: 'parents' },
  ],
  cycle: [
    { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
    { do: 'dh', from: 'F1', lines, into: 'dh', years: 1 },
    { do: 'phenotype', population: 'dh', trait: 'yield', environments: 1, replicates: 1, as: 'y', years: 1 },
    { do: 'measure', stage: 'dh', population: 'dh', criterion: 'y' },
    { do: 'select', from: 'dh', by: 'y', count: 6, into: 'parents' },
  ],
});
export const ARCHITECTURE = [
  { trait: 'yield', qtl: 40, effects: 'normal' as const, mean: 90, variance: 9, dominance: 0 },
];
