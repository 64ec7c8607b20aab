import { checkParentage, type Parentage } from '@heterosis/analysis/parentage/check-parentage';
import { familiesCsv, findingsCsv, likelyParentsCsv } from '@heterosis/analysis/parentage/parentage-csv';
import { ploidyOf } from '@heterosis/analysis/pedigree/polyploid-model';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { PARENTAGE_OPTIONS, PARENTAGE_OUTPUTS } from '@heterosis/contracts/options/parentage-checks';
import { type Command, defineCommand, inputError } from '../command.ts';
import { GENOTYPE_OPTION, withGenotypeBlocks } from '../options/genotype-option.ts';
import { givenPedigree, PEDIGREE_COLUMNS_OPTION } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';

export const parentageCommand: Command = defineCommand({
  name: 'parentage',
  summary: 'check a pedigree against genotypes: conflicts, copies, swaps, likely parents',
  description: [
    'Compares each child with its parents in the pedigree: a cross needs an allele of each parent, a line after selfing or doubling only alleles that its parents have, a clone the same calls. A family is in conflict if errors at the given rate do not explain its conflicts (exact binomial test, 0.01 for all families together). Samples are swapped if exchanging them removes all conflicts of their families.',
    'Polyploids of ploidy k are compared by their dosages, fractions as the nearest whole number: a child has k/2 of the copies of each parent, drawn without replacement, or with --double-reduction two of them copies of one gene.',
    'Without --pedigree, copies and the most likely parents are found. Likelihood ratios are natural logarithms, with the error model of CERVUS (Kalinowski and others 2007).',
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    ...flagsOf(PARENTAGE_OPTIONS),
    'pedigree-columns': PEDIGREE_COLUMNS_OPTION,
    ...flagsOf(PARENTAGE_OUTPUTS),
  },
  output: [
    'verdict is CONFLICT (more conflicts than errors explain), CONFIRMED (not more, and the parents are likelier than one wrong parent), DOUBTFUL (one wrong parent is likelier), UNTESTABLE (too few markers to notice one wrong parent), or for a line with one genotyped parent, which nothing can contradict, PLAUSIBLE or DOUBTFUL. log_likelihood_ratio is that against no relation, log_likelihood_ratio_one_wrong that against the likeliest case of one wrong parent.',
  ],
  examples: [
    'heterosis parentage --genotype panel.vcf.gz --pedigree pedigree.csv --out families.csv --out-findings findings.csv',
    'heterosis parentage --genotype panel.vcf.gz --seek all --out-parents parents.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const pedigree = await givenPedigree(options, io);
    const found = await withGenotypeBlocks(options.genotype, io, (panel) => {
      const asked = inputsOf(PARENTAGE_OPTIONS, optionsOfFlags(PARENTAGE_OPTIONS, options));
      if (ploidyOf(panel) === 2 && asked.doubleReduction > 0)
        throw inputError('E-CLI-OPTION', 'Diploids have no double reduction.', 'Leave out --double-reduction.');
      return checkParentage({ panel, ...asked, ...(pedigree === undefined ? {} : { pedigree }) }, io.context);
    });
    const written = [
      [options.out, familiesCsv],
      [options['out-parents'], likelyParentsCsv],
      [options['out-findings'], findingsCsv],
    ] as const;
    for (const [path, csv] of written) if (path !== undefined) await writeOutput(path, csv(found));
    return {
      summary: summaryOf(found),
      lines: [...linesOf(found), ...written.flatMap(([path]) => (path === undefined ? [] : [`written: ${path}`]))],
    };
  },
});

const VERDICTS = ['CONFIRMED', 'CONFLICT', 'PLAUSIBLE', 'DOUBTFUL', 'UNTESTABLE'] as const;

function summaryOf(found: Parentage): Record<string, unknown> {
  const { samples, families } = found;
  return {
    individuals: samples.length,
    markers: found.markers,
    polymorphic_markers: found.polymorphic,
    ...(found.ploidy === 2 ? {} : { ploidy: found.ploidy }),
    in_pedigree: found.inPedigree,
    families: Object.fromEntries(
      VERDICTS.map((verdict) => [verdict, families.filter((one) => one.verdict === verdict).length]),
    ),
    swaps: found.swaps.map(({ first, second }) => [samples[first], samples[second]]),
    suspects: found.suspects.map(({ sample }) => samples[sample]),
    copies: found.copies.map(({ first, second }) => [samples[first], samples[second]]),
    sought: found.likely.length,
  };
}

function linesOf({ samples, markers, inPedigree, families, swaps, suspects, copies }: Parentage): string[] {
  const counts = VERDICTS.flatMap((verdict) => {
    const count = families.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict.toLowerCase()}`];
  });
  return [
    `${samples.length} individuals, ${markers} markers${inPedigree === null ? '' : `, ${inPedigree} individuals in the pedigree`}`,
    ...(families.length === 0
      ? []
      : [`${families.length} children with a parent in the pedigree: ${counts.join(', ')}`]),
    ...swaps.map(({ first, second }) => `swapped: ${samples[first]} and ${samples[second]}`),
    ...suspects.map(
      ({ sample, conflicts, tested }) => `suspect: ${samples[sample]}, ${conflicts} of ${tested} families in conflict`,
    ),
    ...copies.map(
      ({ first, second, identity }) =>
        `copies: ${samples[first]} and ${samples[second]} (${(100 * identity).toFixed(2)} %)`,
    ),
  ];
}
