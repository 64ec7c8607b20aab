import { defineOptions } from './define-options.ts';
import { CSV, WRITTEN } from './inputs.ts';
import { SEED } from './shared.ts';

const ONLY_FILES = { place: 'cli', why: 'A request names files and models of the project.' } as const;
const FILE = { path: 'read', placeholder: 'FILE' } as const;
const TABLE = { kind: 'text', input: false, only: ONLY_FILES, cli: { ...FILE, required: true } } as const;

/** In the order of `heterosis simulate`. */
export const PROGRAMME_OPTIONS = defineOptions({
  scheme: {
    ...TABLE,
    only: { place: 'cli', why: 'A request holds its schemes, which are simulated on the same numbers.' },
    about: 'The programme: a JSON file of stages.',
  },
  schemes: {
    kind: 'own',
    about: 'The programmes: objects as in a scheme file, with different names. Differences are to the first.',
    only: { place: 'api', why: 'The command line takes a file of one scheme; the same seed makes pairs of two runs.' },
    stored: 'always',
  },
  haplotypes: {
    ...TABLE,
    about:
      'Founders: locus, then a column of alleles 0 and 1 for each inbred line, or two columns NAME:1 and NAME:2 for a plant.',
  },
  founders: {
    kind: 'own',
    about: 'Names of the founders in the genotype, in their order. Absent: everyone in it.',
    only: { place: 'api', why: 'On the command line founders are those of --haplotypes.' },
  },
  map: {
    ...TABLE,
    about:
      'Loci: locus, chromosome, position_cM, and optionally kind: qtl, chip (genotyped), neutral (counted for diversity).',
  },
  missing_map_markers: {
    kind: 'choice',
    choices: ['interpolate', 'drop'],
    default: 'interpolate',
    about:
      'Markers that are not on the linkage map: placed between their neighbours by base pairs, or left out (those of a model count their mean).',
    only: { place: 'api', why: 'On the command line every locus stands on the map.' },
    stored: 'always',
  },
  bp_per_cm: {
    kind: 'number',
    min: 1000,
    max: 1e9,
    default: 1_000_000,
    about: 'Base pairs per cM where there is no linkage map.',
    label: 'Base pairs per cM',
    hint: 'One rate for the whole genome. A linkage map is more accurate.',
    step: 100_000,
    only: { place: 'api', why: 'The command line needs a map.' },
  },
  effects: {
    kind: 'text',
    input: false,
    only: ONLY_FILES,
    cli: FILE,
    about:
      'True effects of allele 1: locus, TRAIT_a and optionally TRAIT_d for each trait. This, --model or --architecture is required.',
    not: {
      model: {
        message: 'The truth comes from --effects or from --model.',
        action: 'Leave out one of the two.',
      },
      architecture: {
        message: 'The truth comes from --effects or from --architecture.',
        action: 'Leave out one of the two.',
      },
    },
  },
  model: {
    kind: 'text',
    input: false,
    only: ONLY_FILES,
    cli: FILE,
    about:
      'The model.json of heterosis train: true effects are drawn from its posterior, anew in each replicate, so that results carry what the model does not know. Allele 1 is A2 of its markers.',
    not: {
      architecture: {
        message: 'The truth comes from --model or from --architecture.',
        action: 'Leave out one of the two.',
      },
    },
    needs: {
      genotype_train: {
        message: 'Effects are drawn with the genotypes that the model was trained on.',
        action: 'Give --genotype-train.',
      },
    },
  },
  genotype_train: {
    kind: 'text',
    input: false,
    only: ONLY_FILES,
    cli: { path: 'genotype', placeholder: 'G' },
    about: 'The genotype that --model was trained on.',
    needs: {
      model: { message: '--genotype-train belongs to --model.', action: 'Give --model, or leave it out.' },
    },
  },
  architecture: {
    kind: 'own',
    about:
      'In place of a model: for each trait the number of QTL, the distribution of their effects, and the mean and genetic variance of the founders. QTL and effects are drawn anew in each replicate.',
    cli: {
      ...FILE,
      kind: 'text',
      help: 'A JSON list: for each trait its name, the number of qtl, their effects (normal, laplace, equal), and mean and genetic variance of the founders. QTL and effects are drawn anew in each replicate.',
      why: 'It names a file.',
    },
  },
  intercepts: {
    kind: 'text',
    input: false,
    only: ONLY_FILES,
    cli: FILE,
    about:
      'With --effects, trait,intercept: the value with allele 0 everywhere. Default: such that the mean of the founders is 0.',
  },
  replicates: {
    kind: 'integer',
    min: 1,
    max: 2000,
    default: 200,
    about: 'How often the programme is simulated.',
    label: 'Replicates',
    stored: 'always',
    cli: { max: 100_000, why: 'A server stores what each of them measures.' },
  },
  optimise: {
    kind: 'own',
    about:
      'Searches the numbers of the scheme that gain most: which may move between which bounds, a budget, and what is wanted. `replicates` then says nothing.',
    cli: {
      ...FILE,
      kind: 'text',
      help: 'A JSON file of numbers of the scheme that may move between bounds, a budget, and what is wanted: searches the allocation that gains most. --out then has a row for each allocation, and --replicates says nothing.',
      why: 'It names a file.',
    },
  },
  seed: { ...SEED, about: 'Equal stages of two schemes draw the same numbers with the same seed.' },
});

/** Results of `heterosis simulate`. */
export const PROGRAMME_OUTPUTS = defineOptions({
  out: { ...CSV, only: { place: 'cli', why: 'The page of the run offers its results as files.' } },
  replicates_out: {
    ...WRITTEN,
    only: { place: 'cli', why: 'The page of the run offers its results as files.' },
    about: 'CSV of every quantity in every replicate, to compare schemes in pairs.',
    not: {
      optimise: {
        message: '--replicates-out is of one scheme, and --optimise simulates many.',
        action: 'Leave out one of the two.',
      },
    },
  },
  steps_out: {
    ...WRITTEN,
    only: { place: 'cli', why: 'The page of the run shows them.' },
    about: 'With --optimise: CSV of what more money buys at each number.',
    needs: { optimise: { message: '--steps-out belongs to --optimise.', action: 'Give --optimise, or leave it out.' } },
  },
  scheme_out: {
    ...WRITTEN,
    only: { place: 'cli', why: 'The page of the run offers the scheme as a file.' },
    about: 'With --optimise: the scheme with the best numbers.',
    needs: {
      optimise: { message: '--scheme-out belongs to --optimise.', action: 'Give --optimise, or leave it out.' },
    },
  },
});
