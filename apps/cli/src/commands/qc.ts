import { qcGenotype } from '@heterosis/analysis/genotype/qc-genotype';
import { type Command, defineCommand } from '../command.ts';
import { GENOTYPE_OPTION } from '../genotype-option.ts';
import { MAP_OPTIONS, withMappedGenotype } from '../map-options.ts';
import { writeOutput } from '../write-output.ts';

export const qcCommand: Command = defineCommand({
  name: 'qc',
  summary: 'describe a genotype: call rates, frequencies, duplicates, structure',
  description: [
    'Counts calls of every marker and individual, finds pairs of individuals with the same genotype, and computes principal components and kinship of panels of moderate size.',
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    ...MAP_OPTIONS,
    out: { kind: 'text', path: 'write', placeholder: 'FILE', help: 'Write all figures to this file as JSON.' },
  },
  output: [
    'A summary on standard output; with --json, or in the file of --out, all figures: histograms of call rate, minor allele frequency and heterozygosity (20 equal bins), a row an individual, marker density along each chromosome, principal components with their shares, kinship ordered by clustering, duplicates.',
  ],
  examples: ['heterosis qc --genotype maize.vcf.gz', 'heterosis qc --genotype maize --out maize.qc.json'],
  async run(options, io) {
    const qc = await withMappedGenotype(options, io, (panel) => qcGenotype({ panel }, io.context));
    if (options.out !== undefined) await writeOutput(options.out, [`${JSON.stringify(qc)}\n`]);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
    const low = qc.samples_table.filter((sample) => sample.call_rate < LOW_CALL_RATE);
    return {
      summary: { n: qc.samples, m: qc.markers, qc },
      lines: [
        `individuals               ${qc.samples}`,
        `markers                   ${qc.markers} on ${qc.contigs.length} chromosomes`,
        `missing calls             ${percent(qc.missing_share)}`,
        `heterozygous calls        ${percent(mean(qc.samples_table.map((sample) => sample.heterozygosity)))}`,
        `MAF ≥ 0.05, calls ≥ 0.9   ${qc.markers_after_default_qc} markers`,
        `calls below ${LOW_CALL_RATE}           ${low.length} individuals${low.length > 0 ? `: ${names(low.map((sample) => sample.name))}` : ''}`,
        `same genotype             ${qc.duplicates.length} pairs${qc.duplicates.length > 0 ? `: ${names(qc.duplicates.map(({ first, second }) => `${first} = ${second}`))}` : ''}`,
        ...(qc.pca === null ? [] : [`principal components      ${qc.pca.shares.map(percent).join(', ')}`]),
      ],
    };
  },
});

const LOW_CALL_RATE = 0.8;
const LISTED_NAMES = 5;

function names(list: string[]): string {
  const rest = list.length - LISTED_NAMES;
  return list.slice(0, LISTED_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
