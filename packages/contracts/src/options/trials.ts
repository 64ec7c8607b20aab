import { PLOIDY_CHOICES } from '../data/format-names.ts';
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
import { POLYPLOID_PEDIGREE_OPTIONS } from './pedigrees.ts';
import { KINSHIP_FILE_OPTION, MARKER_OPTIONS } from './shared.ts';

/** Most segments of a spline along rows or columns. */
export const MOST_SEGMENTS = 200;

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
  environments: {
    kind: 'list',
    most: 500,
    default: [],
    about: 'Environments to analyse. Default: all.',
    label: 'Environments',
    hint: 'All without a choice.',
    cli: { name: 'environment', placeholder: 'E[,E2]' },
  },
  model: {
    kind: 'choice',
    choices: ['auto', 'blocks', 'rowcol', 'psanova', 'ar1', 'ar1-units'],
    labels: {
      auto: 'The best by AIC',
      blocks: 'Blocks',
      rowcol: 'Rows and columns',
      psanova: 'Spline surface (PSANOVA)',
      ar1: 'AR1 × AR1',
      'ar1-units': 'AR1 × AR1 + units',
    },
    default: 'auto',
    about:
      'The model of each trial: blocks; rowcol, random rows and columns beside them; psanova, a surface of P-splines; ar1, first-order autoregression along rows and columns; ar1-units, the same with a nugget; auto fits all that apply and takes the one with the smallest AIC of the full likelihood (Verbyla 2019).',
    label: 'Model',
    hint: 'What cannot apply to a trial (no rows and columns, one replicate) is left out with its reason.',
    stored: 'always',
    cli: { help: 'The model, see above.' },
  },
  fixed: {
    kind: 'list',
    most: 20,
    default: [],
    about: 'Fixed terms: columns, combinations a:b, and covariate:NAME.',
    label: 'Fixed terms',
    hint: 'Columns, combinations a:b, and covariate:NAME. Empty: what the columns of the design offer.',
    group: 'Advanced',
    cli: { placeholder: 'NAME,…' },
  },
  random: {
    kind: 'list',
    most: 20,
    default: [],
    about: 'Random terms of blocks and rowcol, such as replicate:block.',
    label: 'Random terms',
    hint: 'Such as replicate:block. Empty: what the columns of the design offer.',
    group: 'Advanced',
    cli: { placeholder: 'NAME,…' },
  },
  segments: {
    kind: 'list',
    about:
      'Segments of the splines along rows and along columns. Default: half of the distinct coordinates, at least 2.',
    input: false,
    only: { place: 'cli', why: 'A request says `row_segments` and `column_segments`.' },
    cli: { placeholder: 'R,C' },
  },
  lines: {
    kind: 'choice',
    choices: ['fixed', 'random', 'both'],
    default: 'both',
    about: 'fixed gives means, random gives BLUPs and heritability.',
    only: { place: 'cli', why: 'The server keeps both.' },
  },
  checks: {
    kind: 'list',
    most: 200,
    default: [],
    about: 'Lines that are fixed effects where the others are random. Default: none, checks are random lines too.',
    label: 'Checks',
    hint: 'Lines that are fixed effects where the others are random.',
    cli: { placeholder: 'NAME,…' },
  },
  alternative_models: {
    kind: 'flag',
    about: 'Fit and list the other models beside the chosen one.',
    label: 'List the other models',
    hint: 'Fits them too where a model is chosen.',
    group: 'Advanced',
    input: 'alternatives',
  },
  override: {
    kind: 'list',
    about:
      'Another model for single environments, such as Kiel=rowcol. The terms of --fixed and --random are not for them.',
    input: false,
    only: { place: 'cli', why: 'A request says `overrides`, with terms of their own.' },
    cli: { placeholder: 'E=MODEL,…' },
  },
  aside: {
    kind: 'list',
    about: 'Plots whose values do not count, by environment and line of the file, such as Kiel:17.',
    input: false,
    only: { place: 'cli', why: 'A request says `set_aside`, with a reason for each.' },
    cli: { name: 'set-aside', placeholder: 'E:LINE,…' },
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
  ...POLYPLOID_PEDIGREE_OPTIONS,
  kinship_file: {
    ...KINSHIP_FILE_OPTION.kinship_file,
    about: 'A kinship of the lines: CSV or TSV as `heterosis kinship` writes it.',
  },
  kinship: {
    kind: 'choice',
    choices: ['vanraden1', 'standardized'],
    default: 'vanraden1',
    labels: { vanraden1: 'VanRaden 1', standardized: 'Standardized' },
    about: 'Kinship of the markers, see heterosis kinship.',
    label: 'Kinship',
    group: 'Advanced',
    input: 'method',
  },
  ...MARKER_OPTIONS,
  dominance: {
    kind: 'flag',
    about:
      'A second kernel, of dominance, with a variance of lines and one of their interaction. Needs a genotype and no pedigree.',
    label: 'Dominance',
    hint: 'Needs a genotype and no pedigree.',
    group: 'Advanced',
  },
  residual_lines: {
    kind: 'flag',
    about: 'A variance of lines beside their relationships in each environment: what K does not explain.',
    label: 'Lines beyond their relationships',
    hint: 'Needs a genotype or a pedigree.',
    group: 'Advanced',
  },
  out: { ...OUT, about: 'The CSV file of effects to write.' },
  report: { ...WRITTEN, about: 'JSON file of all figures.' },
});

const { environments, model, fixed, random, checks, alternative_models } = TRIAL_OPTIONS;
const { kinship, dominance, residual_lines } = SERIES_OPTIONS;

const SEGMENTS = {
  kind: 'integer',
  min: 2,
  max: MOST_SEGMENTS,
  group: 'Advanced',
  input: false,
  only: { place: 'api', why: 'The command line says both by --segments R,C.' },
} as const;

/** Of an analysis of trials on a server: each trial, and then all of a trait together. */
export const TRIAL_ANALYSIS_OPTIONS = defineOptions({
  ...{ environments, model, checks },
  structure: {
    kind: 'choice',
    choices: ['auto', 'none', 'cs', 'diag', 'fa1', 'fa2', 'fa3', 'fa4'],
    labels: {
      auto: 'The best by AIC',
      none: 'No analysis of the series',
      cs: 'Compound symmetry',
      diag: 'Diagonal',
      fa1: 'One factor',
      fa2: 'Two factors',
      fa3: 'Three factors',
      fa4: 'Four factors',
    },
    default: 'auto',
    about:
      'Covariance between environments in the analysis of all trials of a trait together, where it has two or more: cs, diag, fa1 to fa4, the one with the smallest AIC (auto), or no such analysis (none).',
    label: 'All trials together',
    hint: 'For traits with two environments or more.',
    stored: 'always',
    input: false,
    cli: {
      kind: 'text',
      why: '`heterosis series` takes any number of factors; without the command there is no series.',
    },
  },
  ...{ fixed, random },
  row_segments: {
    ...SEGMENTS,
    about: 'Segments of the splines along rows. Default: half of the distinct coordinates, at least 2.',
    label: 'Segments along rows',
  },
  column_segments: {
    ...SEGMENTS,
    about: 'Segments of the splines along columns. Default: half of the distinct coordinates, at least 2.',
    label: 'Segments along columns',
  },
  ...{ alternative_models, kinship, ...MARKER_OPTIONS, dominance, residual_lines },
  ploidy: {
    kind: 'choice',
    choices: PLOIDY_CHOICES,
    default: '2',
    about: 'Copies of each chromosome of the plants of a pedigree, where no genotype is chosen, which tells it.',
    label: 'Ploidy of the pedigree',
    hint: 'Of the plants of a pedigree without a genotype, which tells it.',
    group: 'Advanced',
    input: false,
    only: { place: 'api', why: 'On the command line it also tells how genotypes are read.' },
  },
  ...POLYPLOID_PEDIGREE_OPTIONS,
  overrides: {
    kind: 'own',
    about: 'Another model for some trials and traits.',
    title: 'Models of single trials',
    only: { place: 'api', why: 'The command line is called once for each model.' },
  },
  set_aside: {
    kind: 'own',
    about: 'Plots whose values do not count, each with a reason. They keep their place in the field.',
    title: 'Plots set aside',
    only: { place: 'api', why: 'Leave the values empty in the file.' },
  },
});
