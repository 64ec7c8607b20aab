import { phaseGenotype } from '@heterosis/analysis/phasing/phase';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { PHASE_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { readMapOption, reportMap } from '../options/map-options.ts';

export const phaseCommand: Command = defineCommand({
  name: 'phase',
  summary: 'phase a genotype and fill its missing calls',
  description: [
    'Finds the two haplotypes of every individual and writes them as a phased VCF (0|1), as crossing needs it. Genotypes with heterozygous calls are phased by Beagle 5, which must be installed (apt-get install beagle), with settings for breeding panels; missing calls are filled from related individuals. A genotype without heterozygous calls is written as it is.',
    'The input is repaired first: markers are sorted, one is kept at each position, and those without chromosome, position or calls are left out with a warning. Observed calls are never changed.',
    'A linkage map gives genetic distances and decides where the markers lie; without one the positions of the genotype are used at 1 cM per million base pairs.',
    'Chromosomes are phased in parallel. The same seed gives the same result for any number of threads.',
  ],
  options: flagsOf(PHASE_OPTIONS),
  output: ['VCF 4.2 with phased calls (GT only), sorted by chromosome and position.'],
  examples: [
    'heterosis phase --genotype parents.vcf.gz --map map.csv --out parents.phased.vcf.gz',
    'heterosis cross --model model.json --genotype parents.phased.vcf.gz --crosses crosses.csv --map map.csv --out out.csv',
  ],
  async run(options, io) {
    const map = await readMapOption(options, io);
    const asked = inputsOf(PHASE_OPTIONS, optionsOfFlags(PHASE_OPTIONS, options));
    const result = await withGenotype(options.genotype, io, (panel) =>
      phaseGenotype({ panel, outPath: options.out, ...asked, ...(map === undefined ? {} : { map }) }, io.context),
    );
    io.report(result.report.problems, options.genotype);
    if (result.mapReport !== null) reportMap(result.mapReport.problems, options.map, io);
    return {
      summary: {
        n: result.samples,
        m: result.markers,
        phased_by: result.phasedBy,
        heterozygous_calls: result.heterozygousCalls,
        missing_calls: result.missingCalls,
        filled_calls: result.filledCalls,
        out: options.out,
      },
      lines: [
        `${result.samples} individuals × ${result.markers} markers, ${result.heterozygousCalls} heterozygous calls${result.phasedBy === 'beagle' ? ' phased by Beagle' : ''}, ${result.filledCalls} of ${result.missingCalls} missing calls filled`,
        `written: ${options.out}`,
      ],
    };
  },
});
