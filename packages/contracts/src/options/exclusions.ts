import { defineOptions } from './define-options.ts';
import { GENOTYPE_OPTION, OUT, WRITTEN } from './inputs.ts';

const A_LIST = 'The names stand in a file, one a line.';

/** Most names on a list of individuals or markers that a run keeps. */
export const MAX_LISTED_NAMES = 20_000;

/** Names in a request, a file of them on the command line. */
const NAMES = {
  kind: 'list',
  most: MAX_LISTED_NAMES,
  trims: true,
  input: false,
} as const;
const A_FILE = { kind: 'text', path: 'read', placeholder: 'FILE', why: A_LIST } as const;
const SHARE = { kind: 'number', min: 0, max: 1, step: 0.01 } as const;

/** What a run leaves out of its genotype, in the order in which it applies, each to what those before it have left. */
export const EXCLUSION_OPTIONS = defineOptions({
  only_samples: {
    ...NAMES,
    about: 'Individuals to keep; all others are left out.',
    label: 'Only these individuals',
    cli: {
      ...A_FILE,
      help: 'Names of the individuals to keep, one a line (# begins a comment); all others are left out.',
    },
  },
  samples: {
    ...NAMES,
    about: 'Individuals to leave out.',
    label: 'Individuals to leave out',
    cli: {
      ...A_FILE,
      name: 'leave-out-samples',
      help: 'Names of individuals to leave out, one a line. A name that the genotype lacks is an error.',
    },
  },
  markers: {
    ...NAMES,
    about: 'Markers to leave out, by their exact names.',
    label: 'Markers to leave out',
    cli: {
      ...A_FILE,
      name: 'leave-out-markers',
      help: 'Names of markers to leave out, one a line, compared letter by letter.',
    },
  },
  min_sample_call_rate: {
    ...SHARE,
    about: 'Leaves out individuals with a smaller share of markers called.',
    label: 'Call rate of individuals, at least',
    cli: { help: 'Leave out individuals with a smaller share of markers called, 0 to 1.' },
  },
  max_sample_heterozygosity: {
    ...SHARE,
    about: 'Leaves out individuals with a larger share of heterozygotes among their calls.',
    label: 'Heterozygosity of individuals, at most',
    cli: { help: 'Leave out individuals with a larger share of heterozygotes among their calls, 0 to 1.' },
  },
  duplicates: {
    kind: 'flag',
    about: 'Keeps one individual of each group with the same genotype: the one with the most calls.',
    label: 'All but one of each group of duplicates',
    hint: 'The individual with the most calls is kept.',
    cli: {
      name: 'leave-out-duplicates',
      help: 'Keep one individual of each group with the same genotype (as qc finds them): the one with the most calls.',
    },
  },
  min_marker_call_rate: {
    ...SHARE,
    about: 'Leaves out markers called in a smaller share of all individuals that are left.',
    cli: {
      help: 'Leave out markers called in a smaller share of all individuals that are left, 0 to 1. --call-rate counts those analysed only.',
    },
  },
  min_maf: {
    ...SHARE,
    max: 0.5,
    about: 'Leaves out markers with a smaller minor allele frequency among all individuals that are left.',
    cli: {
      help: 'Leave out markers with a smaller minor allele frequency among all individuals that are left, 0 to 0.5. --maf counts those analysed only.',
    },
  },
  ld_pruning: {
    kind: 'own',
    about: 'Prunes markers by linkage disequilibrium, as plink2 --indep-pairwise.',
    label: 'Prune markers by LD: largest r²',
    hint: 'Of two markers in a window with a larger r², the one with the smaller MAF is left out.',
    cli: {
      name: 'prune-r2',
      kind: 'number',
      min: 0,
      max: 1,
      help: 'Prune the markers that are left by LD, as heterosis prune --r2 does with its other defaults. For other windows prune first, and use --leave-out-markers.',
      why: '`heterosis prune` has the other windows.',
    },
  },
  left_out: {
    ...WRITTEN,
    about: 'Write what was left out, and by which rule, to this CSV file.',
    only: { place: 'cli', why: 'The page of the run offers the file.' },
  },
});

const {
  markers: _,
  min_marker_call_rate: _rate,
  min_maf: _maf,
  ld_pruning: _pruning,
  ...OF_SAMPLES
} = EXCLUSION_OPTIONS;

/** Of individuals: all that a prediction can leave out, whose markers are those of its model. */
export const SAMPLE_EXCLUSIONS = OF_SAMPLES;

/** Pruning has limits where it is asked for in a request. */
const ANY = { max: Number.POSITIVE_INFINITY, why: 'A run of a server has windows of a usual size.' } as const;

/** Windows in which markers are compared. */
export const WINDOW_OPTIONS = defineOptions({
  window: {
    kind: 'integer',
    min: 2,
    max: 10_000,
    default: 50,
    about: 'Markers in a window.',
    cli: ANY,
  },
  step: {
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 5,
    about: 'Markers from one window to the next.',
    cli: ANY,
  },
  window_kb: {
    kind: 'number',
    min: 0.001,
    max: 1e6,
    about: 'Kilobases in a window, in place of `window` and `step`; such windows begin at every marker.',
    cli: { ...ANY, help: 'Kilobases in a window, in place of markers; such windows begin at every marker.' },
  },
});

/** Above it, one of two markers is pruned. */
export const LARGEST_R2 = {
  kind: 'number',
  min: 0,
  max: 1,
  about: 'Largest r² that is left.',
  cli: { help: 'Largest r² that is left, 0 to 1.' },
} as const;

const { ld_pruning: _itself, ...LEFT_OUT_BEFORE } = EXCLUSION_OPTIONS;

/** In the order of `heterosis prune`. */
export const PRUNE_OPTIONS = defineOptions({
  ...GENOTYPE_OPTION,
  window: WINDOW_OPTIONS.window,
  window_kb: WINDOW_OPTIONS.window_kb,
  step: WINDOW_OPTIONS.step,
  r2: { ...LARGEST_R2, default: 0.5 },
  ...LEFT_OUT_BEFORE,
  out: { ...OUT, about: 'The list of markers kept to write, one name a line.' },
  pruned: { ...WRITTEN, about: 'Write the list of markers pruned too.' },
});
