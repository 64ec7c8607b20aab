import type { FineMap, Region } from '@heterosis/analysis/fine-mapping/fine-map';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { FINE_MAPPING_OPTIONS } from '@heterosis/contracts/options/fine-mapping';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError } from '../command.ts';
import { readCovariatesOption } from '../options/covariate-options.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { PHENOTYPE_OR_MEANS_OPTIONS, readTraitSource } from '../options/trait-source.ts';
import { writeOutput } from '../write-output.ts';

export const finemapCommand: Command = defineCommand({
  name: 'finemap',
  summary: 'find the markers of a region that have effects, in credible sets',
  description: [
    'A region with a hit of a GWAS may have several genes, each seen by many markers in LD. The trait is a sum of a few effects, each on one marker that is not known (SuSiE; Wang and others 2020), beside fixed effects and relationships by the markers of the other chromosomes, whose variance is estimated by REML without the region. A credible set holds a marker with an effect with the probability --coverage; its markers cannot be told apart by these records.',
    'Missing calls count as the mean of their marker. With one chromosome the relationships are those of all markers, which takes some of the effects away. With --means or --standard-errors the errors of the values are known up to their size, as in gwas.',
  ],
  options: { ...PHENOTYPE_OR_MEANS_OPTIONS, ...flagsOf(FINE_MAPPING_OPTIONS) },
  output: [
    'CSV with a row for each marker of the region: marker, chr, pos, pip (probability that it has an effect), effect (posterior mean, per copy of A2), set (number of its credible set, the best first; empty outside).',
  ],
  examples: [
    'heterosis finemap --genotype maize.vcf.gz --phenotype traits.csv --trait dpoll --region 8:120000000-135000000 --out sets.csv',
    'heterosis finemap --genotype maize.vcf.gz --phenotype traits.csv --trait dpoll --covariates EarHT --fixed 2 --region 8:120000000-135000000 --out given.csv',
  ],
  usesMatrixProducts: true,
  async run(options, io) {
    const region = regionOf(options.region);
    const source = await readTraitSource({ ...options, trait: [options.trait] }, io);
    const { phenotype, traits, path } = source;
    const [trait = options.trait] = traits;
    const covariates = readCovariatesOption(options.covariates ?? [], phenotype, traits, { path, io });
    const asked = inputsOf(FINE_MAPPING_OPTIONS, optionsOfFlags(FINE_MAPPING_OPTIONS, options));
    const { fineMap, fineMapCsv } = await import('@heterosis/analysis/fine-mapping/fine-map');
    return withGenotype(options.genotype, io, async (panel) => {
      const found = await fineMap(
        { ...asked, ...source.errors, panel, phenotype, trait, region, covariates },
        io.context,
      );
      await writeOutput(options.out, fineMapCsv(found, region.chromosome));
      const { n, markers, sets, variances, errors, isConverged, isOfOthers } = found;
      return {
        summary: {
          ...{ trait, n, m: markers.id.length, variances, converged: isConverged },
          ...(errors === null ? {} : { errors: errors.from, residual_lines: errors.residualLines }),
          kinship: isOfOthers ? 'other chromosomes' : 'all markers',
          sets: sets.map(({ markers: places, coverage, purity, logBayesFactor }) => ({
            markers: places.map((j) => markers.id[j]),
            ...{ coverage, purity, log_bayes_factor: logBayesFactor },
          })),
          out: options.out,
        },
        lines: [
          ...source.lines,
          `${trait}: n = ${n}, ${markers.id.length} markers, relationships by ${isOfOthers ? 'the other chromosomes' : 'all markers'}${isConverged ? '' : ', not converged'}`,
          ...(sets.length === 0
            ? [`${trait}: no credible set: no effect in the region stands out`]
            : sets.map((set, k) => `${trait}: set ${k + 1}, ${describeSet(found, set)}`)),
          `written: ${options.out}`,
        ],
      };
    });
  },
});

type CredibleSet = FineMap['sets'][number];

const SHOWN_MARKERS = 5;

function describeSet({ markers }: FineMap, { markers: places, coverage, purity, logBayesFactor }: CredibleSet): string {
  const shown = places
    .slice(0, SHOWN_MARKERS)
    .map((j) => `${markers.id[j]} (${(markers.inclusion[j] ?? Number.NaN).toFixed(2)})`);
  const more = places.length > SHOWN_MARKERS ? ` and ${places.length - SHOWN_MARKERS} more` : '';
  return `${places.length} markers, coverage ${coverage.toFixed(3)}, least correlation ${purity.toFixed(2)}, log Bayes factor ${logBayesFactor.toFixed(1)}: ${shown.join(', ')}${more}`;
}

function regionOf(text: string): Region {
  const parts = /^(.+):(\d+)-(\d+)$/.exec(text.replaceAll(/[,_]/g, ''));
  const [, chromosome = '', from = '', to = ''] = parts ?? [];
  if (parts !== null && Number(from) <= Number(to)) {
    return { chromosome, fromBp: Number(from), toBp: Number(to) };
  }
  throw inputError(
    'E-CLI-VALUE',
    `--region "${text}" is no region.`,
    'Write the chromosome, first and last position in base pairs: 3:1200000-1800000.',
  );
}
