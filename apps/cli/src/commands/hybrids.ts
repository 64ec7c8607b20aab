import { hybridVcf } from '@heterosis/analysis/crossing/hybrid-vcf';
import { openCrosses } from '@heterosis/analysis/crossing/read-crossing-files';
import { HYBRID_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand } from '../command.ts';
import { warnings } from '../crossing-inputs.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { writeOutput } from '../write-output.ts';

export const hybridsCommand: Command = defineCommand({
  name: 'hybrids',
  summary: 'write the genotypes of the F1 hybrids of a crossing table',
  description: [
    'Makes the genotype of each F1 hybrid from those of its inbred parents: one sample per cross, phased, the allele of the female first. heterosis predict then gives the values of the hybrids, with dominance when the model has it.',
    'Where a parent has no call or a heterozygous one, the call of the hybrid is missing. A parent of which more than 5 % of the calls are heterozygous is refused, because its F1 plants are not alike.',
  ],
  options: flagsOf(HYBRID_OPTIONS),
  output: ['A VCF with the markers of the genotype and one sample for each cross.'],
  examples: ['heterosis hybrids --genotype lines.vcf --crosses factorial.csv --out hybrids.vcf.gz'],
  async run(options, io) {
    const counts = await withGenotype(options.genotype, io, async (panel) => {
      const crosses = await openCrosses(options.crosses, panel.samples, io.context);
      io.report(warnings(crosses.problems), options.crosses);
      const made = await hybridVcf({ panel, crosses: crosses.value }, options.out.endsWith('.gz'), io.context);
      await writeOutput(options.out, made.bytes);
      return made.counts;
    });
    const missing = counts.missing + counts.heterozygous;
    return {
      summary: { n: counts.hybrids, m: counts.markers, ...counts, out: options.out },
      lines: [
        `${counts.hybrids} hybrids × ${counts.markers} markers`,
        ...(missing > 0
          ? [`${missing} calls missing: ${counts.missing} missing and ${counts.heterozygous} heterozygous in a parent`]
          : []),
        `written: ${options.out}`,
      ],
    };
  },
});
