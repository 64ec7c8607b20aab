import { openLinkageMap } from '@heterosis/analysis/crossing/read-crossing-files';
import { phaseGenotype } from '@heterosis/analysis/phasing/phase';
import { type Command, defineCommand } from '../command.ts';
import { GENOTYPE_OPTION, withGenotype } from '../genotype-option.ts';

export const phaseCommand: Command = defineCommand({
  name: 'phase',
  summary: 'phase a genotype and fill its missing calls',
  description: [
    'Finds the two haplotypes of every individual and writes them as a phased VCF (0|1), as crossing needs it. Genotypes with heterozygous calls are phased by Beagle 5, which must be installed (apt-get install beagle), with settings for breeding panels; missing calls are filled from related individuals. A genotype without heterozygous calls is written as it is.',
    'The input is repaired first: sorted; one marker a position; markers without position or calls left out; each with a warning. Observed calls are never changed.',
    'Chromosomes are phased side by side, in as many processes as there are threads. The same seed gives the same result whatever their number.',
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    map: {
      kind: 'text',
      path: 'read',
      placeholder: 'FILE',
      help: 'A linkage map. Without it 1 cM per million base pairs.',
    },
    'map-unit': { kind: 'choice', choices: ['cM', 'M'], help: 'Unit of the map when its header does not say it.' },
    seed: { kind: 'integer', min: 0, max: 2_147_483_647, fallback: '1', help: 'Seed of the phasing.' },
    memory: {
      kind: 'integer',
      min: 64,
      placeholder: 'MB',
      help: 'Memory for Beagle, shared by as many processes as there are threads, each with at least 1,024 MB. Default: half of the machine.',
    },
    out: {
      kind: 'text',
      path: 'write',
      placeholder: 'FILE',
      required: true,
      help: 'The VCF to write, compressed (bgzip) when its name ends in .gz.',
    },
  },
  output: ['VCF 4.2 with phased calls (GT only), sorted by chromosome and position.'],
  examples: [
    'heterosis phase --genotype parents.vcf.gz --map map.csv --out parents.phased.vcf.gz',
    'heterosis cross --model model.json --genotype parents.phased.vcf.gz --crosses crosses.csv --map map.csv --out out.csv',
  ],
  async run(options, io) {
    const unit = options['map-unit'] === 'M' ? 'M' : options['map-unit'] === 'cM' ? 'cM' : undefined;
    const map = options.map === undefined ? null : await openLinkageMap(options.map, unit, io.context);
    const { memory } = options;
    const result = await withGenotype(options.genotype, io, (panel) =>
      phaseGenotype(
        {
          panel,
          outPath: options.out,
          seed: options.seed,
          ...(map === null ? {} : { map: map.value }),
          ...(memory === undefined ? {} : { memoryMb: memory }),
        },
        io.context,
      ),
    );
    io.report(result.report.problems, options.genotype);
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
