import { frequencyTable } from '@heterosis/analysis/genotype/marker-frequencies';
import { type GenotypeQc, qualityOfPanel } from '@heterosis/analysis/genotype/qc-genotype';
import { ldDecayTable, markerTable, sampleTable } from '@heterosis/analysis/genotype/quality-tables';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { QC_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand } from '../command.ts';
import { LEAVE_OUT_DESCRIPTION } from '../options/leaving-out-options.ts';
import { withMappedBlocks } from '../options/map-options.ts';
import { writeOutput } from '../write-output.ts';

export const qcCommand: Command = defineCommand({
  name: 'qc',
  summary: 'describe a genotype: call rates, frequencies, LD, duplicates, structure',
  description: [
    'Counts the calls of every marker and individual, tests every polymorphic marker for Hardy–Weinberg equilibrium (exact test), and gives the inbreeding coefficient F of every individual, the decay of LD with distance, pairs of individuals with the same genotype, and principal components with the kinship.',
    'Principal components and kinship use the markers with MAF ≥ 0.05 and call rate ≥ 0.9: all of them while individuals × markers × min(individuals, 2,000) is at most 5e10 (1,000 × 50,000, 5,000 × 5,000), else evenly spread ones, which the output says; --structure-markers all lifts the limit. Above 10,000 individuals there are none.',
    'Duplicates are pairs that agree in more than 99 % of the calls, over all polymorphic markers with a call rate of at least 0.5; they are searched for with at least 100 such markers and at most 50,000 individuals.',
    'LD is r² of dosages between markers of a chromosome, averaged in bins of distance: base pairs, or cM with --map. Large panels are sampled: the same panel always gives the same pairs, and the output gives their number.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: flagsOf(QC_OPTIONS),
  output: [
    'A summary on standard output; with --json, or in the file of --out, all figures: histograms (20 equal bins), a row an individual, marker density along each chromosome, principal components with their shares, kinship ordered by clustering, decay of LD, duplicates.',
    '--markers-out: chr, pos, id, A1, A2, freqA2, maf, call_rate, het (share of heterozygotes among the calls), hwe_p, hwe_neg_log10_p, n (calls), n_A1A1, n_A1A2, n_A2A2. Of polyploids the test is χ² of the classes of dosage against random mating, and there are gametic_het (see --frequencies) and n_0, n_1 …, the plants with 0, 1 … copies of A2.',
    '--frequencies: marker, frequency (of A2), call_rate, heterozygosity (the share of heterozygotes among the calls; in polyploids of ploidy p the mean of x(p − x)/(p choose 2), the chance that two alleles of a plant differ).',
    '--samples-out: id, call_rate, het, F, n (calls), n_het, and ploidy where plants differ. F is the method of moments of plink --het.',
    '--ld-out: chr (all, then each chromosome), unit (bp or cM), from, to, pairs, mean_distance, mean_r2.',
  ],
  examples: [
    'heterosis qc --genotype maize.vcf.gz',
    'heterosis qc --genotype maize --out maize.qc.json --markers-out markers.csv --samples-out samples.csv',
  ],
  takesPolyploids: true,
  takesMixedPloidies: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const { structureMarkers } = inputsOf(QC_OPTIONS, optionsOfFlags(QC_OPTIONS, options));
    return withMappedBlocks(options, io, async (panel, leftOut, positionCm) => {
      const located = positionCm === undefined ? {} : { positionCm };
      const quality = await qualityOfPanel({ panel, structureMarkers, ...located }, io.context);
      const { qc, stats, classes } = quality;
      if (options.out !== undefined) await writeOutput(options.out, [`${JSON.stringify(qc)}\n`]);
      if (options.frequencies !== undefined) await writeOutput(options.frequencies, frequencyTable(panel, io.context));
      if (options['markers-out'] !== undefined)
        await writeOutput(options['markers-out'], markerTable(panel, stats, classes));
      if (options['samples-out'] !== undefined) await writeOutput(options['samples-out'], sampleTable(panel, quality));
      if (options['ld-out'] !== undefined) await writeOutput(options['ld-out'], ldDecayTable(qc.ld_decay));
      return {
        summary: { n: qc.samples, m: qc.markers, ...leftOut.summary, qc },
        lines: [...leftOut.lines, ...linesOf(qc)],
      };
    });
  },
});

const LOW_CALL_RATE = 0.8;
const LISTED_NAMES = 5;

function linesOf(qc: GenotypeQc): string[] {
  const low = qc.samples_table.filter((sample) => sample.call_rate < LOW_CALL_RATE).map((sample) => sample.name);
  const same = qc.duplicates.map(({ first, second }) => `${first} = ${second}`);
  const { hwe, duplicate_search: search, pca } = qc;
  return [
    `individuals               ${qc.samples}${ploidyInWords(qc)}`,
    `markers                   ${qc.markers} on ${qc.contigs.length} chromosomes`,
    `missing calls             ${percent(qc.missing_share)}`,
    `heterozygous calls        ${percent(qc.heterozygous_share)} of all calls; mean of the individuals ${percent(qc.mean_individual_heterozygosity)}`,
    `MAF ≥ 0.05, calls ≥ 0.9   ${qc.markers_after_default_qc} markers`,
    `calls below ${LOW_CALL_RATE}           ${qc.samples_below_call_rate} individuals${names(low, qc.samples_below_call_rate)}`,
    `inbreeding F              ${qc.mean_inbreeding === null ? 'no polymorphic marker' : `mean ${qc.mean_inbreeding.toFixed(3)}`}`,
    ...(qc.ploidies === undefined
      ? [equilibriumLine(hwe), ...(qc.ploidy === undefined ? [] : classLines(qc))]
      : ['for one ploidy only       equilibrium, classes of dosage, LD and structure: add --samples-of-ploidy']),
    ...(hwe.is_inbred_panel
      ? ['                          fewer heterozygotes are expected in inbred lines; look at the markers with more']
      : []),
    `same genotype             ${
      search.skipped === null ? `${search.pairs} pairs${names(same, search.pairs)}` : SKIPPED[search.skipped]
    }${search.unverified > 0 ? `; ${search.unverified} similar pairs were not compared at all markers` : ''}`,
    ...(pca === null ? [] : [componentsLine(pca)]),
    ...(qc.ld_decay === null ? [] : [decayLine(qc.ld_decay)]),
  ];
}

function ploidyInWords({ ploidy, ploidies }: GenotypeQc): string {
  if (ploidies !== undefined)
    return `, of different ploidy: ${ploidies.map((one) => `${one.samples} of ${one.ploidy}x`).join(', ')}`;
  return ploidy === undefined ? '' : `, ploidy ${ploidy}`;
}

function equilibriumLine(hwe: GenotypeQc['hwe']): string {
  return `HWE p < 1e-6              ${hwe.below_1e_6} of ${hwe.tested} markers (${hwe.fewer_heterozygotes} with fewer heterozygotes than expected, ${hwe.more_heterozygotes} with more)`;
}

function classLines(qc: GenotypeQc): string[] {
  const {
    dosage_classes: classes = [],
    gametic_heterozygosity: differing = 0,
    double_reduction: reduction = null,
  } = qc;
  const calls = classes.reduce((sum, count) => sum + count, 0);
  return [
    `two alleles of a plant    differ in ${percent(differing)} of the calls`,
    ...(reduction === null
      ? []
      : [
          `double reduction          ${reduction.toFixed(3)} from mean F, were mating at random and parents no relatives`,
        ]),
    `copies of A2              ${classes.map((count, copies) => `${copies}: ${percent(count / calls)}`).join(', ')}`,
  ];
}

const SKIPPED = {
  'few-markers': 'not searched: fewer than 100 polymorphic markers with call rate ≥ 0.5',
  'many-samples': 'not searched: more than 50,000 individuals',
};

function componentsLine({ shares, markers, of_markers, is_approximate }: NonNullable<GenotypeQc['pca']>): string {
  const used = markers < of_markers ? `${markers} of ${of_markers} markers` : `all ${markers} markers`;
  return `principal components      ${shares.map(percent).join(', ')} (${is_approximate ? 'approximate, ' : ''}from ${used})`;
}

function decayLine({ unit, mean, fit, pairs }: NonNullable<GenotypeQc['ld_decay']>): string {
  const format = unit === 'bp' ? formatBp : (distance: number) => `${distance.toPrecision(3)} cM`;
  const at = (distance: number | null): string => (distance === null ? 'never' : format(distance));
  const fitted = fit === null ? '' : `, on the fitted curve at ${at(fit.r2_02_distance)}`;
  return `mean r² falls to 0.2      ${at(mean.r2_02_distance)}${fitted} (${pairs} pairs)`;
}

function formatBp(distance: number): string {
  if (distance >= 1e6) return `${(distance / 1e6).toPrecision(3)} Mb`;
  return distance >= 1e3 ? `${(distance / 1e3).toPrecision(3)} kb` : `${distance.toPrecision(3)} bp`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/** `: a, b and 3 more`; empty for an empty list. */
function names(list: string[], total: number): string {
  if (list.length === 0) return '';
  const rest = total - Math.min(list.length, LISTED_NAMES);
  return `: ${list.slice(0, LISTED_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
