import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import { enumeration, grouped } from '@heterosis/contracts/options/words';
import { SOFTWARE_VERSION } from '../../../platform/config/config.ts';
import type { TrialAnalysisRow } from './trial-analyses.queries.ts';
import { modelInWords } from './trial-sentences.ts';

/** A paragraph for the methods section of a paper. */
export function trialMethods({ parameters, trait_rows, has_genotype, has_pedigree }: TrialAnalysisRow): string {
  const { model, checks = [], overrides = [], set_aside: aside = [] } = parameters;
  const { double_reduction: doubled, ...ofMarkers } = sentencesOf(TRIAL_ANALYSIS_OPTIONS, parameters);
  const done = trait_rows.flatMap(({ trait, summary }) => (summary === null ? [] : [{ trait, summary }]));
  const sizes = done.map(
    ({ trait, summary: { plots, environments, lines } }) =>
      `${trait} (${grouped(plots)} plots of ${grouped(lines)} lines in ${environments} ${environments === 1 ? 'environment' : 'environments'})`,
  );
  return [
    'Each trial was analysed by a linear mixed model with REML by average information (Gilmour, Thompson & Cullis 1995), once with the lines fixed for means (BLUE) with the covariance of their errors, and once with random lines for variances, BLUPs and heritability.',
    model === 'auto'
      ? 'Of blocks, random rows and columns, P-spline surfaces (PSANOVA; Rodríguez-Álvarez et al. 2018) and first-order autoregressive residuals with and without a nugget, the model with the smallest AIC of the full likelihood at the REML estimates was taken (Verbyla 2019).'
      : `The model was ${modelInWords(model)}.`,
    ...overrides.map(
      (one) =>
        `For ${one.trait} in ${one.environment} it was ${one.model === 'auto' ? 'the one with the smallest AIC' : modelInWords(one.model)}.`,
    ),
    ...(checks.length === 0 ? [] : [`Effects of the checks ${enumeration(checks)} were fixed.`]),
    ...(aside.length === 0
      ? []
      : [
          `The values of ${aside.length} ${aside.length === 1 ? 'plot' : 'plots'} did not count (${enumeration([...new Set(aside.map(({ reason }) => reason))])}).`,
        ]),
    'Heritability is that of Cullis, Smith & Coombes (2006). Plots that look wrong were found by Bonferroni–Holm tests of studentized residuals scaled by their median absolute deviation (Bernal-Vasquez, Utz & Piepho 2016).',
    ...seriesInWords(
      done.map(({ summary }) => summary.structure),
      { has_genotype, has_pedigree, parameters },
    ),
    ...(has_genotype ? Object.values(ofMarkers) : []),
    ...(doubled === undefined ? [] : [doubled]),
    ...(sizes.length === 0 ? [] : [`Traits: ${sizes.join('; ')}.`]),
    `Computed with Heterosis ${SOFTWARE_VERSION}.`,
  ].join(' ');
}

function seriesInWords(
  structures: readonly (string | null)[],
  { has_genotype, has_pedigree, parameters }: Pick<TrialAnalysisRow, 'has_genotype' | 'has_pedigree' | 'parameters'>,
): string[] {
  const found = [...new Set(structures.flatMap((structure) => structure ?? []))];
  if (found.length === 0) return [];
  const related = has_genotype
    ? has_pedigree
      ? 'relationships of markers and pedigree in one step'
      : 'genomic relationships (VanRaden 2008)'
    : has_pedigree
      ? 'relationships by pedigree'
      : 'unrelated lines';
  return [
    `The means of all trials of a trait were then analysed together with the whole covariance of their errors (two stages, fully efficient; Piepho et al. 2012), ${related} and the covariance structure ${enumeration(found.map((one) => one.replace(/^(fa|cs)/, (name) => name.toUpperCase())))} between environments${parameters.structure === 'auto' ? ', which had the smallest AIC' : ''} (Smith, Cullis & Thompson 2001).`,
    ...(parameters.residual_lines === true
      ? ['A variance of lines beside their relationships was estimated in each environment.']
      : []),
    ...(parameters.dominance === true ? ['A second kernel had the relationships of dominance.'] : []),
    'Overall performance and stability are those of Smith & Cullis (2018).',
  ];
}
