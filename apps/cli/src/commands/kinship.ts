import { kinshipCsv, panelKinship } from '@heterosis/analysis/inputs/panel-kinship';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { KINSHIP_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand } from '../command.ts';
import { withGenotypeBlocks } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, leaveOutOfBlocksByOptions } from '../options/leaving-out-options.ts';
import { writeOutput } from '../write-output.ts';

export const kinshipCommand: Command = defineCommand({
  name: 'kinship',
  summary: 'compute a kinship matrix',
  description: [
    'With p the frequency of the alternative allele A2 among the called genotypes: standardized is ZZᵀ/(m−1), Z = (dosage − 2p)/√(2p(1−p)), the default of GWAS; vanraden1 is (dosage − 2p)(dosage − 2p)ᵀ/2Σp(1−p), the default of prediction; dominance is the matrix of Vitezica and others (2013).',
    'Missing calls count as the mean of their marker. Monomorphic markers are left out.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: flagsOf(KINSHIP_OPTIONS),
  output: ['CSV: the first row is id and the names of the individuals; each further row is a name and its kinships.'],
  examples: ['heterosis kinship --genotype maize --method vanraden1 --out kinship.csv'],
  usesMatrixProducts: true,
  async run(options, io) {
    const { method, ...asked } = inputsOf(KINSHIP_OPTIONS, optionsOfFlags(KINSHIP_OPTIONS, options));
    return withGenotypeBlocks(options.genotype, io, async (whole) => {
      const leftOut = await leaveOutOfBlocksByOptions(whole, options, io);
      const { panel } = leftOut;
      const { kernels, scan } = await panelKinship(
        {
          panel,
          methods: [method],
          withMarkerColumns: false,
          maf: asked.maf,
          callRate: asked.callRate,
          precision: asked.precision,
        },
        io.context,
      );
      const kernel = kernels[method];
      if (kernel === undefined) throw new TypeError(`the kinship ${method} was not computed`);
      await writeOutput(options.out, kinshipCsv(panel.samples, kernel.data));
      return {
        summary: {
          method,
          precision: asked.precision,
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
