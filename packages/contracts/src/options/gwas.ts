import { defineOptions } from './define-options.ts';
import { definePresets } from './presets.ts';
import {
  COVARIATES,
  FIXED,
  KINSHIP_FILE_OPTION,
  KINSHIP_PRECISION_OPTION,
  leftOutBelow,
  MAP_OPTIONS,
  MARKER_OPTIONS,
  MEANS_OPTIONS,
  SEED,
} from './shared.ts';
import { enumeration, grouped } from './words.ts';

const TESTS = {
  LRT: 'a likelihood-ratio test with maximum-likelihood variances estimated anew for every marker',
  WALD: 'a Wald test with REML variances estimated anew for every marker',
  SCORE: 'a score test with the REML variances of the model without marker',
};

/**
 * How copies of A2 act, as the analysis names it. The pages offer all; the command line takes `1-dom` and `2-dom` for
 * both of them.
 */
export const GENE_ACTIONS = [
  'additive',
  '1-dom-alt',
  '1-dom-ref',
  '2-dom-alt',
  '2-dom-ref',
  'general',
  'diplo-additive',
  'diplo-general',
] as const;
export type GeneAction = (typeof GENE_ACTIONS)[number];

/** In the order of the command line and, by groups, of the dialog. */
export const GWAS_OPTIONS = defineOptions({
  test: {
    kind: 'choice',
    choices: ['LRT', 'WALD', 'SCORE'],
    default: 'LRT',
    about: 'The test of each marker.',
    label: 'Test',
    group: 'Test',
    stored: 'always',
    cli: {
      kind: 'list',
      placeholder: 'LRT|WALD|SCORE|ALL',
      help: 'Which test; several are separated by commas, ALL is all three. Together they cost hardly more than one.',
      why: 'A table can have the columns of several tests; a page shows one.',
    },
    says: (test: keyof typeof TESTS) => `Each marker was tested by ${TESTS[test]} (χ² with one degree of freedom).`,
  },
  fixed: {
    ...FIXED,
    group: 'Test',
    stored: 'always',
    says: (axes: number) =>
      axes === 0
        ? ''
        : `The first ${axes === 1 ? 'principal component' : `${axes} principal components`} of K ${axes === 1 ? 'was' : 'were'} fitted as fixed effects.`,
  },
  covariates: {
    ...COVARIATES,
    cli: {
      placeholder: 'NAME,NAME',
      help: 'Columns of the phenotype file as further fixed effects: numbers (age) as they are, words and design columns (origin, location) as groups. NAME:factor takes the numbers of a column as codes for groups (family 1, 2, 3), NAME:numeric says that they are a measurement. Individuals that lack one of the columns are left out.',
    },
  },
  covariate_kinds: {
    kind: 'own',
    byName: true,
    title: 'Kind of covariate',
    about:
      'Covariate → how it is taken: factor for numbers that are codes for groups, numeric for a measurement. Without an entry numbers are numeric, words and design columns factors.',
    cli: { why: '--covariates NAME:factor and NAME:numeric say it.' },
  },
  ...MEANS_OPTIONS,
  standard_errors: {
    ...MEANS_OPTIONS.standard_errors,
    says: (columns: readonly string[]) =>
      `Errors of the values were taken as independent, with variances in proportion to the squares of ${enumeration(columns)}; traits, fixed effects, markers and K were divided by their roots (Piepho et al. 2012).`,
  },
  weights: {
    ...MEANS_OPTIONS.weights,
    says: (weights: 'none' | 'se' | 'full') =>
      weights === 'full'
        ? 'Errors of the values were taken as correlated, in proportion to the whole covariance of the means; traits, fixed effects, markers and K were divided by its root (Piepho et al. 2012).'
        : '',
  },
  condition_on: {
    kind: 'list',
    most: 50,
    trims: true,
    default: [],
    about:
      'Markers, by name, as further fixed effects: every other marker is tested given them. Missing calls count as the mean.',
    label: 'Test given these markers',
    title: 'Tested given the markers',
    hint: 'Fixed effects beside the kinship: shows what is left of a locus once its strongest marker is in the model.',
    cli: {
      placeholder: 'MARKER,MARKER',
      help: 'Markers as further fixed effects: every other marker is tested given them, for what is left of a locus once its strongest marker is in the model. Missing calls count as the mean.',
    },
    says: (markers: readonly string[]) =>
      `${enumeration(markers)} ${markers.length === 1 ? 'was' : 'were'} fitted as fixed effects, so that every other marker was tested given ${markers.length === 1 ? 'it' : 'them'}.`,
  },
  multi_trait: {
    kind: 'choice',
    choices: ['none', 'any', 'specific'],
    default: 'none',
    about:
      'Test each marker on two to six traits together too, at the covariances of the model without marker (P3D). any: no effect on any of them; specific: the same effect on all, for one trait in several environments; none: each trait alone.',
    label: 'Traits together',
    labels: { none: 'each trait alone', any: 'an effect on any trait', specific: 'effects that differ between traits' },
    hint: 'Two to six traits in one model, beside each trait alone. Effects that differ are for one trait in several environments.',
    cli: {
      choices: ['any', 'specific'],
      default: null,
      why: 'A command tests one trait, or several together.',
      help: 'Test each marker on two to six traits of --trait together, at the genetic and residual covariances of the model without marker (P3D). any: no effect on any trait, against effects on all. specific: the same effect on all traits, in their units, against effects of their own; for one trait in several environments. Individuals may lack some of the traits. --test does not apply.',
    },
    not: Object.fromEntries(
      Object.entries({
        residual_lines: { what: 'a variance of lines' },
        gene_action: { what: 'gene actions of polyploids', place: 'cli' as const },
        dominance: { what: 'dominance', place: 'cli' as const },
        permutations: { what: 'permutations', place: 'cli' as const },
        stepwise: { what: 'a multi-locus model', place: 'cli' as const },
        effective_tests: { what: 'counting independent tests', place: 'cli' as const },
      }).map(([name, { what, ...where }]) => [
        name,
        {
          message: `Traits are tested together without ${what}.`,
          action: 'Choose one of the two.',
          hint: `Not available with ${what}.`,
          ...where,
        },
      ]),
    ),
    says: (test: 'any' | 'specific', { loco }: { loco?: boolean }) =>
      `Each marker was also tested on the traits together, with unstructured genetic and residual covariances by REML of the model without marker${loco === true ? ' and without its chromosome' : ''} (P3D): ${test === 'any' ? 'no effect on any trait (Zhou & Stephens 2014)' : 'the same effect on all traits, in their units (Korte et al. 2012)'}.`,
  },
  gene_action: {
    kind: 'list',
    choices: GENE_ACTIONS,
    default: [],
    about:
      'Test each marker under models of how copies of A2 act too: additive, their number; 1-dom-alt, one does what all do; 1-dom-ref, one copy of A1 does what all do; 2-dom-alt and 2-dom-ref, two do; general, an effect for each class of dosage; diplo-additive and diplo-general, all heterozygous classes as one (Rosyara et al. 2016). F tests with variances estimated with the marker (exact), and beside them with those of the model without marker (P3D).',
    label: 'Gene actions',
    title: 'Gene actions tested',
    labels: {
      additive: 'additive: copies of A2 add up',
      '1-dom-alt': '1-dom-alt: one copy of A2 acts as all',
      '1-dom-ref': '1-dom-ref: one copy of A1 acts as all',
      '2-dom-alt': '2-dom-alt: two copies of A2 act as all',
      '2-dom-ref': '2-dom-ref: two copies of A1 act as all',
      general: 'general: an effect of each class',
      'diplo-additive': 'diplo-additive: heterozygotes in the middle',
      'diplo-general': 'diplo-general: heterozygotes as one class',
    },
    hint: 'Each marker is also tested under these models, by F: exactly, and by P3D as GWASpoly does.',
    group: 'Test',
    not: Object.fromEntries(
      Object.entries({
        condition_on: { what: 'given markers' },
        standard_errors: { what: 'known errors of the values' },
        weights: { what: 'known errors of the values', unless: { weights: ['none'] } },
        dominance: { what: '--dominance', place: 'cli' as const },
        permutations: { what: '--permutations', place: 'cli' as const },
        stepwise: { what: '--stepwise', place: 'cli' as const },
        effective_tests: { what: '--effective-tests', place: 'cli' as const },
        kinship_file: { what: '--kinship-file', place: 'cli' as const },
      }).map(([name, { what, ...where }]) => [
        name,
        {
          message: `Gene actions are tested without ${what}.`,
          action: 'Choose one of the two.',
          hint: `Not available with ${what}.`,
          ...where,
        },
      ]),
    ),
    cli: {
      placeholder: 'ACTION,ACTION',
      help: 'Test gene actions of polyploids: additive, 1-dom-alt, 1-dom-ref, 2-dom-alt, 2-dom-ref (1-dom, 2-dom: both), general, diplo-additive, diplo-general. Each with the variances of the model without marker (P3D) and with variances of its own.',
    },
    says: (actions: readonly string[], { loco }: { loco?: boolean }) =>
      `Each marker was also tested under the gene ${actions.length === 1 ? 'action' : 'actions'} ${enumeration(actions)} (Rosyara et al. 2016), by F with REML variances estimated anew for every marker and, as P3D, with those of the model without marker; missing dosages were the most frequent ones, and K the centred cross-product of all dosages${loco === true ? ' of the other chromosomes' : ''}.`,
  },
  thresh_maf: {
    ...MARKER_OPTIONS.thresh_maf,
    label: MARKER_OPTIONS.thresh_maf.title,
    step: 0.01,
    group: 'Test',
    says: leftOutBelow(' among the analysed individuals'),
    cli: {
      ...MARKER_OPTIONS.thresh_maf.cli,
      default: null,
      help: `${MARKER_OPTIONS.thresh_maf.cli.help} Default: 0.05, with --gene-action 0.`,
    },
  },
  thresh_callrate: {
    ...MARKER_OPTIONS.thresh_callrate,
    label: MARKER_OPTIONS.thresh_callrate.title,
    step: 0.01,
    group: 'Test',
    cli: {
      ...MARKER_OPTIONS.thresh_callrate.cli,
      default: null,
      help: `${MARKER_OPTIONS.thresh_callrate.cli.help} Default: 0.9, with --gene-action 0.`,
    },
  },
  ...KINSHIP_PRECISION_OPTION,
  ...KINSHIP_FILE_OPTION,
  ...MAP_OPTIONS,
  exclusions: {
    kind: 'own',
    about: 'Individuals and markers that are left out.',
    label: 'Leave out',
    cli: { why: '--only-samples, --leave-out-samples and the flags after them read lists from files.' },
  },
  loco: {
    kind: 'flag',
    about:
      'Leave one chromosome out: test each marker with the kinship of the markers on the other chromosomes, in a null model of its own. Markers without a chromosome are in the kinship of none, and are tested with that of all.',
    label: 'Leave one chromosome out (LOCO)',
    hint: 'Each marker is tested with the kinship of the markers on the other chromosomes, so that it does not compete with itself. Each chromosome has a null model of its own. Markers without a chromosome are tested with the kinship of all. More power; takes a decomposition for each chromosome.',
    input: 'leaveOneChromosomeOut',
    cli: {
      help: 'Leave one chromosome out: test each marker with the kinship of the markers on the other chromosomes, so that it does not compete with itself and its neighbours. Each chromosome has a null model of its own, with variances by REML (LRT: maximum likelihood). Markers without a chromosome are in the kinship of none, and are tested with that of all. Not with --kinship-file.',
    },
    says: () =>
      'Each marker was tested with the relationships of the markers on all other chromosomes, in a null model of its own (one chromosome left out; Listgarten et al. 2012).',
  },
  dominance: {
    kind: 'flag',
    about: 'Test the dominance deviation of each marker too.',
    label: 'Test dominance too',
    hint: 'Deviation of heterozygotes from the midpoint of the homozygotes, tested in addition to the additive effect.',
    cli: {
      help: 'Test the dominance deviation of each marker too: the heterozygotes beside the additive effect, with variances by REML. Takes about twice the time.',
    },
    says: () =>
      'The dominance deviation of each marker was tested beside its additive effect by a Wald test with REML variances.',
  },
  effective_tests: {
    kind: 'flag',
    about:
      'Count the independent tests among the markers too (Li and Ji 2005), chromosome by chromosome; takes a second pass. With more than 2,000 individuals, chromosomes of more than 2,000 markers are cut into blocks of 2,000, and the summary says so.',
    only: { place: 'cli', why: 'The server always counts them.' },
    input: false,
  },
  clumps: {
    kind: 'own',
    about: 'Put the hits in LD with each other together. Absent: they are not.',
    label: 'Put hits in LD together (clumps)',
    title: 'Clumps',
    hint: 'As plink --clump does: the strongest marker takes those around it that are in LD with it.',
    cli: { why: '--clumps names the file to write, and --clump-p1, --clump-p2, --clump-r2 and --clump-kb the rule.' },
    says: ({ p1, p2, r2, kb }: Record<'p1' | 'p2' | 'r2' | 'kb', number>) =>
      `Hits were put together by linkage disequilibrium (as plink --clump does: p ≤ ${p1} for the first marker, p ≤ ${p2}, r² ≥ ${r2} and at most ${grouped(kb)} kb from it for the others).`,
  },
  permutations: {
    kind: 'integer',
    // Fewer give no threshold of 5 %.
    min: 19,
    max: 10_000,
    about: 'Permute each trait this many times for a threshold of 5 % over all markers; 1000 is usual.',
    label: 'Permutations',
    hint: 'For a genome-wide threshold that accounts for LD; 1000 is usual. Each permuted trait is analysed as the trait itself. Takes about as long as the tests, with few individuals several times as long.',
    group: 'Searches',
    step: 100,
    usual: 1000,
    cli: {
      max: 100_000,
      why: 'Time grows with their number, and a server has other runs. 10,000 give the level of 5 % to 0.2 %.',
      help: 'Permute the trait this many times (1000 is usual) for a threshold of 5 % over all markers that knows how they hang together. Each permuted trait is analysed as the trait itself: variances without marker, and for WALD and LRT with it, are estimated again. Takes about as long as the tests again, with few individuals several times as long.',
    },
    says: (count: number) =>
      `A threshold of 5 % over all markers is that of ${grouped(count)} permutations of the trait’s contrasts, decorrelated at the variances of the model without marker (Abney 2015), each analysed as the trait itself, with variances estimated anew.`,
  },
  seed: { ...SEED, about: 'Seed of the permutations.' },
  stepwise: {
    kind: 'integer',
    min: 1,
    max: 100,
    about: 'Search the markers that explain a trait together, in at most this many steps. Not with `loco`.',
    label: 'Steps of a multi-locus model',
    hint: 'Searches for markers that explain the trait together (MLMM), chosen by mBIC. Each step takes about as long as the tests.',
    group: 'Searches',
    usual: 10,
    not: {
      loco: {
        message: 'A multi-locus model has the kinship of all chromosomes',
        action: 'Search it without leaving chromosomes out.',
        hint: 'Not available when chromosomes are left out: a multi-locus model has one kinship.',
      },
    },
    cli: {
      help: 'Search a multi-locus model: take the strongest marker into the model, estimate the variances anew, and so on for this many steps; then drop the weakest again and again. The model with the smallest mBIC is chosen. Each step takes about as long as the tests. Not with --loco.',
    },
    says: (steps: number) =>
      `Markers that explain a trait together were searched by a multi-locus mixed model of up to ${steps} ${steps === 1 ? 'step' : 'steps'} (Segura et al. 2012) and chosen by the modified Bayesian information criterion (mBIC; Frommlet et al. 2012).`,
  },
  stepwise_out: {
    kind: 'text',
    about: 'Write all models of --stepwise to this CSV file.',
    only: { place: 'cli', why: 'The server shows the models on the page of the run.' },
    input: false,
    cli: { path: 'write', placeholder: 'FILE' },
    needs: {
      stepwise: {
        message: '--stepwise-out is the file of --stepwise.',
        action: 'Say how many steps: --stepwise 10.',
      },
    },
  },
});

export const GWAS_PRESETS = definePresets(GWAS_OPTIONS, {
  quick: {
    label: 'Quick look',
    about:
      'Score tests with the variances of the model without marker, and nothing searched besides: the fastest, but p-values of strong markers come out a little too large.',
    values: { test: 'SCORE', loco: false, permutations: null, stepwise: null },
  },
  publication: {
    label: 'Publication',
    about:
      'Exact tests with the kinship of the other chromosomes (LOCO), and a threshold of 1,000 permutations that accounts for LD: takes a decomposition for each chromosome, and some ten times as long.',
    values: { test: 'LRT', loco: true, permutations: 1000, stepwise: null },
  },
});
