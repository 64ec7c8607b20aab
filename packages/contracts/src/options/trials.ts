import { defineOptions } from './define-options.ts';
import {
  CSV,
  GENOTYPE_OPTION,
  OUT,
  PEDIGREE_FILE_OPTIONS,
  PHENOTYPE_OPTIONS,
  TRAITS_OPTION,
  WRITTEN,
} from './inputs.ts';
import { KINSHIP_FILE_OPTION, MARKER_OPTIONS } from './shared.ts';

/** In the order of `heterosis means`. */
export const MEANS_TABLE_OPTIONS = defineOptions({
  ...PHENOTYPE_OPTIONS,
  trait: {
    kind: 'list',
    about:
      'Traits of the phenotype file, separated by commas; one with a comma in its name stands in double quotes. Default: all traits with numbers.',
    input: 'traits',
    cli: { placeholder: 'T,T' },
  },
  out: CSV,
});

/** In the order of `heterosis trial`. */
export const TRIAL_OPTIONS = defineOptions({
  ...PHENOTYPE_OPTIONS,
  ...TRAITS_OPTION,
  environment: {
    kind: 'list',
    about: 'Environments to analyse. Default: all.',
    input: 'environments',
    cli: { placeholder: 'E[,E2]' },
  },
  model: {
    kind: 'choice',
    choices: ['auto', 'blocks', 'rowcol', 'psanova', 'ar1', 'ar1-units'],
    default: 'auto',
    about: 'The model, see above.',
  },
  fixed: {
    kind: 'list',
    about: 'Fixed terms: columns, combinations a:b, and covariate:NAME.',
    cli: { placeholder: 'NAME,…' },
  },
  random: {
    kind: 'list',
    about: 'Random terms of blocks and rowcol, such as replicate:block.',
    cli: { placeholder: 'NAME,…' },
  },
  segments: {
    kind: 'list',
    about:
      'Segments of the splines along rows and along columns. Default: half of the distinct coordinates, at least 2.',
    input: false,
    cli: { placeholder: 'R,C' },
  },
  lines: {
    kind: 'choice',
    choices: ['fixed', 'random', 'both'],
    default: 'both',
    about: 'fixed gives means, random gives BLUPs and heritability.',
  },
  checks: {
    kind: 'list',
    about: 'Lines that are fixed effects where the others are random. Default: none, checks are random lines too.',
    cli: { placeholder: 'NAME,…' },
  },
  alternative_models: {
    kind: 'flag',
    about: 'Fit and list the other models beside the chosen one.',
    input: 'alternatives',
  },
  out: { ...OUT, about: 'The CSV file of means to write.' },
  covariance: { ...WRITTEN, about: 'CSV file of the covariance of the means.' },
  plots: { ...WRITTEN, about: 'CSV file of fitted values and residuals.' },
  report: { ...WRITTEN, about: 'JSON file of all figures.' },
});

/** In the order of `heterosis series`. */
export const SERIES_OPTIONS = defineOptions({
  means: {
    kind: 'text',
    about: 'Means: CSV with environment, trait, line, mean, se, as heterosis trial --out writes it.',
    cli: { placeholder: 'MEANS', path: 'read' },
  },
  covariance: {
    kind: 'text',
    about:
      'Their covariance: CSV with environment, trait, line1, line2, covariance, as heterosis trial --covariance writes it. Without it the errors count as independent, with their standard errors.',
    cli: { placeholder: 'COV', path: 'read' },
  },
  one_stage: {
    kind: 'flag',
    about:
      'Plots in place of means: replicates are fixed, blocks and residuals random with variances of each environment, all estimated together. Needs --phenotype.',
  },
  ...PHENOTYPE_OPTIONS,
  phenotype: {
    kind: 'text',
    about: 'Plots for --one-stage, as heterosis trial reads them.',
    cli: { placeholder: 'P', path: 'read' },
  },
  trait: { ...TRAITS_OPTION.trait, about: 'Traits, each analysed alone.' },
  structure: {
    kind: 'text',
    default: 'auto',
    about: 'Covariance between environments, see above.',
    cli: { placeholder: 'cs|diag|fa1|…|auto' },
  },
  genotype: { ...GENOTYPE_OPTION.genotype, cli: { placeholder: 'G', path: 'genotype' } },
  ...PEDIGREE_FILE_OPTIONS,
  kinship_file: {
    ...KINSHIP_FILE_OPTION.kinship_file,
    about: 'A kinship of the lines: CSV or TSV as `heterosis kinship` writes it.',
  },
  kinship: {
    kind: 'choice',
    choices: ['vanraden1', 'standardized'],
    default: 'vanraden1',
    about: 'Kinship of the markers, see heterosis kinship.',
    input: 'method',
  },
  ...MARKER_OPTIONS,
  dominance: {
    kind: 'flag',
    about:
      'A second kernel, of dominance, with a variance of lines and one of their interaction. Needs --genotype alone.',
  },
  residual_lines: {
    kind: 'flag',
    about: 'A variance of lines beside their relationships in each environment: what K does not explain.',
  },
  out: { ...OUT, about: 'The CSV file of effects to write.' },
  report: { ...WRITTEN, about: 'JSON file of all figures.' },
});
