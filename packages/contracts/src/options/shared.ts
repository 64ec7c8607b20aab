// Options that several analyses have, word for word.
import { defineOptions } from './define-options.ts';
import { enumeration } from './words.ts';

/** The sentence of both thresholds; `where` they were counted. */
export const leftOutBelow =
  (where = '') =>
  (maf: number, { thresh_callrate: rate }: { thresh_callrate: number }): string =>
    `Markers with a minor allele frequency below ${maf} or a call rate below ${rate}${where} were left out, and missing calls were set to the marker mean.`;

/** Which markers take part, counted among the individuals analysed. */
export const MARKER_OPTIONS = defineOptions({
  thresh_maf: {
    kind: 'number',
    min: 0,
    max: 0.5,
    default: 0.05,
    about: 'Markers with a minor allele frequency below this are left out.',
    input: 'maf',
    stored: 'always',
    title: 'MAF ≥',
    cli: { name: 'maf', help: 'Smallest minor allele frequency of a marker, 0 to 0.5.' },
    says: leftOutBelow(),
  },
  thresh_callrate: {
    kind: 'number',
    min: 0,
    max: 1,
    default: 0.9,
    about: 'Markers with a lower call rate are left out, 0–1.',
    input: 'callRate',
    stored: 'always',
    title: 'Call rate ≥',
    cli: {
      name: 'call-rate',
      help: 'Smallest share of individuals with a call of a marker, 0 to 1. Remaining missing calls count as the mean of their marker.',
    },
  },
});

const NO_SUCH_FILE = 'The server has no files of kinships.';

/** Precision of the standardized kinship. */
export const KINSHIP_PRECISION_OPTION = defineOptions({
  kinship_precision: {
    kind: 'choice',
    choices: ['double', 'single'],
    default: 'double',
    about:
      'single rounds the standardized kinship as the R package gaston does, marker after marker in file order, so that results can be compared with its own digit by digit. It is less exact: −log10 p moves by up to 1e-5 with some 1,000 markers, 1e-3 with 30,000, and depends a little on which allele is counted. The genotype is read once more.',
    only: { place: 'cli', why: 'It serves the comparison with another program, which runs beside the command line.' },
    not: {
      kinship_file: {
        message: '--kinship-precision is about the kinship of the markers, and --kinship-file replaces that.',
        action: 'Leave out one of them.',
      },
    },
  },
});

/** A kinship of one's own. */
export const KINSHIP_FILE_OPTION = defineOptions({
  kinship_file: {
    kind: 'text',
    about:
      'A kinship to use in place of the one from the markers: CSV or TSV as `heterosis kinship` writes it. Its names are matched with those of the genotype; individuals that it lacks are left out and named.',
    only: { place: 'cli', why: NO_SUCH_FILE },
    input: false,
    cli: { placeholder: 'K', path: 'read' },
  },
});

/** Means of lines from an analysis of trials, and what their errors weigh. */
export const MEANS_OPTIONS = defineOptions({
  means: {
    kind: 'text',
    about:
      'Means in place of the traits of a phenotype file: CSV with environment, trait, line, mean, se, as `heterosis trial --out` writes it. Means of several environments are joined by generalised least squares, with an effect of each environment. A phenotype file is then needed for covariates only.',
    only: { place: 'cli', why: 'On the server means and their standard errors are columns of a phenotype file.' },
    input: false,
    not: {
      standard_errors: {
        message: '--means have standard errors of their own.',
        action: 'Leave out --standard-errors.',
      },
    },
    cli: { placeholder: 'MEANS', path: 'read' },
  },
  covariance: {
    kind: 'text',
    about:
      'The covariance of the errors of --means: CSV with environment, trait, line1, line2, covariance, as `heterosis trial --covariance` writes it.',
    only: { place: 'cli', why: 'On the server a phenotype file made from a trial analysis brings it along.' },
    input: false,
    needs: { means: { message: '--covariance is that of --means.', action: 'Give --means too.' } },
    cli: { placeholder: 'COV', path: 'read' },
  },
  weights: {
    kind: 'choice',
    choices: ['none', 'se', 'full'],
    about:
      'What is known of the errors of the values. full: the covariance that a phenotype file made from a trial analysis brings along. se: standard errors, as if errors were independent; they are in `standard_errors`, or in the columns that such a file has for it. none: nothing; one residual variance is estimated for all, and a line with one plot counts as much as one with ten. Absent: se with `standard_errors`, otherwise none.',
    label: 'Weights of the values',
    title: 'Weights',
    labels: { none: 'None', se: 'Standard errors', full: 'Covariance' },
    input: false,
    needs: {
      means: {
        message: '--weights is about the errors of --means.',
        action: 'Give --means, or name columns of the phenotype file by --standard-errors.',
        place: 'cli',
      },
    },
    cli: {
      help: 'What is known of the errors of --means: full, their whole covariance; se, their standard errors, as if they were independent; none, nothing: one residual variance is estimated for all, and a line with one plot counts as much as one with ten. Default: full with --covariance, otherwise se.',
      why: 'It is about --means there, which have standard errors of their own.',
    },
    says: (weights: 'none' | 'se' | 'full') =>
      weights === 'full'
        ? 'Errors of the values were taken as known, with the whole covariance of the means (the second stage of a two-stage analysis; Piepho et al. 2012).'
        : '',
  },
  standard_errors: {
    kind: 'list',
    most: 1000,
    default: [],
    about:
      'Columns of the phenotype file with the standard errors of the traits, one for each trait in their order. The error of a value is then known, in place of one variance that is estimated for all values.',
    label: 'Columns of standard errors',
    title: 'Standard errors',
    hint: 'Columns with the standard errors of the traits, in the order of the traits: a line with one plot then counts less than one with ten.',
    cli: { placeholder: 'SE,SE' },
    says: (columns: readonly string[]) =>
      `Errors of the values were taken as independent and known, with the standard errors in ${enumeration(columns)} (the second stage of a two-stage analysis; Piepho et al. 2012).`,
  },
  residual_lines: {
    kind: 'flag',
    about:
      'A variance of lines beside known errors, for what their relationships do not explain: R = Ω + σ²I in place of R = Ω.',
    label: 'Lines beyond their relationships',
    group: 'Advanced',
    hint: 'Estimates a variance of lines beside known errors, for what the markers do not explain.',
    needs: {
      standard_errors: {
        message: 'A variance of lines cannot be told from that of errors which are unknown.',
        action: 'Name the columns of the standard errors.',
        hint: 'Not available without standard errors: a variance of lines cannot be told from that of errors which are unknown.',
        unless: { weights: ['se', 'full'] },
      },
    },
    says: () => 'A variance of lines beside their relationships and the known errors was estimated by REML.',
  },
});

/** Where markers lie. */
export const MAP_OPTIONS = defineOptions({
  map: {
    kind: 'text',
    about:
      'A linkage map, which then decides on which chromosome each marker lies and where; markers without chromosome (UN) get theirs from it. It is an error when it contradicts the genotype.',
    only: { place: 'cli', why: 'On the server a genotype has the positions of its own file.' },
    input: false,
    cli: { placeholder: 'FILE', path: 'read' },
  },
  map_unit: {
    kind: 'choice',
    choices: ['cM', 'M'],
    about: 'Unit of the map when its header does not say it.',
    only: { place: 'cli', why: 'The server reads the unit when a map is uploaded.' },
    input: false,
  },
});

/** How an analysis is computed, and what it will take. */
export const ENGINE_OPTIONS = defineOptions({
  engine: {
    kind: 'choice',
    choices: ['auto', 'individuals', 'markers'],
    default: 'auto',
    about:
      'Compute from the kinship of the individuals (n × n), or from the equations of the markers (m × m), which are faster with more individuals than markers. The numbers are the same; auto takes the faster one that fits into memory.',
    only: { place: 'cli', why: 'The server takes the faster one that fits into its largest worker.' },
    input: false,
  },
  estimate: {
    kind: 'flag',
    about:
      'Only say which way is chosen and why, and how long it takes on this machine, with how much memory and disk. Nothing is computed or written.',
    only: { place: 'cli', why: 'The dialog shows the estimate beside its fields, from POST …/estimate.' },
    input: false,
  },
});

/** Most covariates of a run. */
export const MAX_COVARIATES = 50;

/** Principal components of the kinship as fixed effects. */
export const FIXED = {
  kind: 'integer',
  min: 0,
  max: 100,
  default: 0,
  about: 'Principal components of the kinship as fixed effects.',
  label: 'Principal components',
} as const;

/** Columns of the phenotype file as fixed effects; their kinds are asked for beside them. */
export const COVARIATES = {
  kind: 'list',
  most: MAX_COVARIATES,
  default: [],
  about: 'Columns of the phenotype file as further fixed effects, numbers or groups; none of them one of the traits.',
  label: 'Covariates (optional)',
  hint: 'Columns of the phenotype file as fixed effects: numbers as they are, groups (words, location, year …) with one effect each. Individuals without a value are left out.',
  input: false,
} as const;

/** Of what is random in an analysis. */
export const SEED = {
  kind: 'integer',
  min: 0,
  max: 2_147_483_647,
  default: 1,
  stored: 'elsewhere',
  cli: { max: Number.POSITIVE_INFINITY, why: 'A server keeps seeds in 32 bits.' },
} as const;
