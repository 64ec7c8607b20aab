import { kinshipCsv, panelKinship } from '@heterosis/analysis/inputs/panel-kinship';
import { type Command, defineCommand } from '../command.ts';
import { GENOTYPE_OPTION, withGenotypeBlocks } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, LEAVE_OUT_OPTIONS, leaveOutOfBlocksByOptions } from '../options/leaving-out-options.ts';
import { KINSHIP_PRECISION_FLAG, MARKER_FLAGS, precisionOf } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';

const METHODS = ['standardized', 'vanraden1', 'dominance'] as const;

export const kinshipCommand: Command = defineCommand({
  name: 'kinship',
  summary: 'compute a kinship matrix',
  description: [
    'With p the frequency of the alternative allele A2 among the called genotypes: standardized is ZZᵀ/(m−1), Z = (dosage − 2p)/√(2p(1−p)), the default of GWAS; vanraden1 is (dosage − 2p)(dosage − 2p)ᵀ/2Σp(1−p), the default of prediction; dominance is the matrix of Vitezica and others (2013).',
    'Missing calls count as the mean of their marker. Monomorphic markers are left out.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    method: { kind: 'choice', choices: METHODS, fallback: 'standardized', help: 'The matrix to compute.' },
    ...MARKER_FLAGS,
    ...LEAVE_OUT_OPTIONS,
    ...KINSHIP_PRECISION_FLAG,
    out: { kind: 'text', path: 'write', placeholder: 'FILE', required: true, help: 'The CSV file to write.' },
  },
  output: ['CSV: the first row is id and the names of the individuals; each further row is a name and its kinships.'],
  examples: ['heterosis kinship --genotype maize --method vanraden1 --out kinship.csv'],
  usesMatrixProducts: true,
  async run(options, io) {
    const method = METHODS.find((name) => name === options.method) ?? 'standardized';
    return withGenotypeBlocks(options.genotype, io, async (whole) => {
      const leftOut = await leaveOutOfBlocksByOptions(whole, options, io);
      const { panel } = leftOut;
      const { kernels, scan } = await panelKinship(
        {
          panel,
          methods: [method],
          withMarkerColumns: false,
          maf: options.maf,
          callRate: options['call-rate'],
          precision: precisionOf(options['kinship-precision']),
        },
        io.context,
      );
      const kernel = kernels[method];
      if (kernel === undefined) throw new TypeError(`the kinship ${method} was not computed`);
      await writeOutput(options.out, kinshipCsv(panel.samples, kernel.data));
      return {
        summary: {
          method,
          precision: precisionOf(options['kinship-precision']),
          n: panel.samples.length,
          m: scan.keptCount,
          ...leftOut.summary,
          markers_read: scan.readCount,
          out: options.out,
        },
        lines: [
          ...leftOut.lines,
          `${method}: ${panel.samples.length} individuals, ${scan.keptCount} of ${scan.readCount} markers: ${options.out}`,
        ],
      };
    });
  },
});
