import { planTargets, type StackReport, type StackTarget } from '@heterosis/analysis/stacking/plan-targets';
import { scheduleCsv } from '@heterosis/analysis/stacking/stack-csv';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { MAX_TARGETS, STACK_OPTIONS, STACK_OUTPUTS } from '@heterosis/contracts/options/stacking';
import { type Command, defineCommand, inputError } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { readMapOption } from '../options/map-options.ts';
import { writeOutput } from '../write-output.ts';

export const stackCommand: Command = defineCommand({
  name: 'stack',
  summary: 'stack target loci of several donors: crosses, numbers of plants, generations',
  description: [
    'Finds the crossing schedule that brings the favourable alleles of up to 30 markers from several donors into one line with the given probability: who is crossed with whom, which plant is kept of each population, and of how many. Of the schedules whose populations can be grown it takes the one with the fewest generations, and of those the one with the fewest plants.',
    'Assumptions: diploid meiosis without interference (Haldane); donors and recurrent parent are inbred; markers are the targets and are read without error; one plant is kept of each population and gives as many seeds as needed; a chromosome reaches from its first to its last marker.',
    'Every crossing tree of the donors is tried. A gamete carries all targets with probability ½ for the first heterozygous target and r or 1 − r from each to the next (Servin et al. 2004); all searches have the same probability, whose product is that of --probability; a search for a plant of probability P takes ln(1 − p)/ln(1 − P) plants, for several carriers the binomial tail.',
    'Fixation in one generation is exact, in several it is exact with up to six segregating targets (backward induction over all genotypes) and simulated beyond, with a standard error.',
    'With --recurrent the schedule has backcrosses: before or after the crosses of the donors, see --order. In each the carrier with the most flanking markers and then the largest share of the recurrent genome is kept (Frisch et al. 1999); the shares, and the segments of donors around targets, are simulated.',
  ],
  options: flagsOf({ ...STACK_OPTIONS, ...STACK_OUTPUTS }),
  output: [
    'CSV, a row a population: generation, step, kind (cross, backcross, self, dh), parent1, parent2 (lines, or steps before), plants, wanted_plants (with all targets, of which one is kept), probability (of such a plant), haplotype1, haplotype2 (targets of the plant that is kept), cost, recurrent_share and its standard error, random_share (of a carrier at random), drag_cM (mean segment of the donor around a target), flanks_free (share of flanking markers from the recurrent parent).',
    'Report: targets with their carriers, the schedule, its probability, cost, and alternatives: the best schedule of each number of generations.',
  ],
  examples: [
    'heterosis stack --genotype lines.vcf.gz --map map.csv --targets m12=A,m77=G,m140=T --donors D1,D2 --recurrent Elite --backcrosses 3 --out schedule.csv',
    'heterosis stack --genotype lines.vcf.gz --targets m12=A,m77=G,m140=T,m201=C --donors D1,D2,D3,D4 --probability 0.99 --ending selfing --out schedule.csv --report plan.json',
  ],
  async run(options, io) {
    const targets = targetsOf(options.targets);
    const inputs = inputsOf(STACK_OPTIONS, optionsOfFlags(STACK_OPTIONS, options));
    const map = (await readMapOption(options, io)) ?? { bpPerCm: options['bp-per-cm'] };
    const report = await withGenotype(options.genotype, io, (panel) =>
      planTargets({ ...inputs, panel, map, targets }, io.context),
    );
    if (options.report !== undefined) await writeOutput(options.report, [`${JSON.stringify(report, null, 2)}\n`]);
    await writeOutput(options.out, scheduleCsv(report));
    return {
      summary: { ...report, out: options.out },
      lines: [
        ...inWords(report),
        ...[options.report, options.out].filter((path) => path !== undefined).map((path) => `written: ${path}`),
      ],
    };
  },
});

/** `marker=allele`; names of markers may hold the sign themselves. */
function targetsOf(texts: readonly string[]): StackTarget[] {
  if (texts.length > MAX_TARGETS) {
    throw inputError('E-CLI-VALUE', `--targets has ${texts.length} markers.`, `Give at most ${MAX_TARGETS}.`);
  }
  return texts.map((text) => {
    const at = text.lastIndexOf('=');
    if (at > 0 && at < text.length - 1) return { marker: text.slice(0, at), allele: text.slice(at + 1) };
    throw inputError('E-CLI-VALUE', `--targets names "${text}" without an allele.`, 'Write for example m12=A,m77=G.');
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function inWords(report: StackReport): string[] {
  const { donors, unused_donors: unused, targets, generations, plants, largest, success, cost } = report;
  const se = report.success_se > 0 ? ` (simulated, s.e. ${percent(report.success_se)})` : '';
  return [
    `${targets.length} targets of ${donors.join(', ')}${unused.length > 0 ? `; not needed: ${unused.join(', ')}` : ''}`,
    ...report.unclear.map(({ name, marker }) => `${name} is not homozygous at ${marker} and counts as without it`),
    `${generations} generations, ${plants} plants, at most ${largest} at a time, cost ${Number(cost.toPrecision(6))}: success ${percent(success)}${se}`,
    ...(report.fits ? [] : ['no schedule has populations as small as --most-plants; this is the nearest']),
    ...report.steps.map(
      ({ generation, step, kind, parents, plants: n, carriers, probability }) =>
        `  ${generation}  ${step}: ${WORDS[kind]} ${parents.join(' × ')}, ${n} ${n === 1 ? 'plant' : 'plants'}${probability === null ? '' : `, ${carriers} wanted of probability ${Number(probability.toPrecision(4))}`}`,
    ),
    ...(report.recurrent_share === null
      ? []
      : [
          `recurrent parent ${percent(report.recurrent_share)} of the genome (s.e. ${percent(report.recurrent_share_se ?? 0)}), ${report.drag_cm?.toFixed(1)} cM of a donor around a target`,
        ]),
    ...report.alternatives.map(
      (one) => `  in ${one.generations} generations: ${one.plants} plants, at most ${one.largest} at a time`,
    ),
  ];
}

const WORDS = { cross: 'cross', backcross: 'backcross', self: 'self', dh: 'doubled haploids of' } as const;
