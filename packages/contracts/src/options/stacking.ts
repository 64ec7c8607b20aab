import { defineOptions } from './define-options.ts';
import { CSV, GENOTYPE_OPTION, WRITTEN } from './inputs.ts';
import { MAP_OPTIONS, SEED } from './shared.ts';

const ON_PAGE = { place: 'cli', why: 'The page of the run offers its results as files.' } as const;
const SIZES = 'Sizes';
const COSTS = 'Costs';
const COST = { kind: 'number', min: 0, max: 1e9, group: COSTS, stored: 'always', step: 1 } as const;

/** Most targets, and most donors among which those that are needed are sought. */
export const MAX_TARGETS = 30;
export const MAX_DONORS = 16;

/** In the order of `heterosis stack`. */
export const STACK_OPTIONS = defineOptions({
  genotype: {
    ...GENOTYPE_OPTION.genotype,
    only: { place: 'cli', why: 'A request names the file as an input (`genotype_id`).' },
    input: false,
  },
  map: {
    ...MAP_OPTIONS.map,
    about: 'The linkage map: marker, chromosome and position in cM (or Morgan). Without it distances are base pairs.',
    only: { place: 'cli', why: 'A request names the file as an input (`linkage_map_id`).' },
  },
  map_unit: MAP_OPTIONS.map_unit,
  bp_per_cm: {
    kind: 'number',
    min: 1000,
    max: 1e9,
    default: 1_000_000,
    about: 'Base pairs per cM where there is no linkage map.',
    label: 'Base pairs per cM',
    hint: 'One rate for the whole genome. A linkage map is more accurate.',
    step: 100_000,
    group: 'Advanced',
  },
  targets: {
    kind: 'own',
    about: 'Target loci: markers and their favourable alleles, at most 30.',
    cli: {
      kind: 'list',
      placeholder: 'MARKER=ALLELE,…',
      required: true,
      why: 'A request names marker and allele of each.',
    },
  },
  donors: {
    kind: 'list',
    most: MAX_DONORS,
    about: 'Inbred lines that carry favourable alleles. The fewest that have all targets together are used.',
    stored: 'always',
    cli: { placeholder: 'NAME,…', required: true },
  },
  recurrent: {
    kind: 'name',
    longest: 255,
    about: 'Recurrent parent: the line that receives the targets. Without it the donors are crossed with each other.',
    cli: { placeholder: 'NAME' },
  },
  backcrosses: {
    kind: 'integer',
    min: 0,
    max: 8,
    default: 2,
    about: 'Backcrosses to the recurrent parent, after the F1 with it.',
    label: 'Backcrosses',
    group: SIZES,
    stored: 'always',
  },
  order: {
    kind: 'choice',
    choices: ['pyramid-first', 'backcross-first'],
    labels: {
      'pyramid-first': 'Cross the donors, then backcross',
      'backcross-first': 'Backcross each donor, then cross',
    },
    default: 'pyramid-first',
    about:
      'pyramid-first: the donors are crossed with each other, and the plant that has everything is backcrossed. backcross-first: each donor is backcrossed with its own targets, which takes fewer plants with many targets.',
    label: 'Order',
    group: SIZES,
    stored: 'always',
  },
  ending: {
    kind: 'choice',
    choices: ['dh', 'selfing'],
    labels: { dh: 'Doubled haploids', selfing: 'Selfing' },
    default: 'dh',
    about: 'How all targets become homozygous.',
    label: 'Fixed by',
    group: SIZES,
    stored: 'always',
  },
  most_fixing: {
    kind: 'integer',
    min: 1,
    max: 6,
    default: 3,
    about:
      'Most generations after the last cross: selfings in which the best plant is kept, and the doubled haploids or the last selfing.',
    label: 'Most generations to fix',
    group: SIZES,
    stored: 'always',
  },
  probability: {
    kind: 'number',
    min: 0.5,
    max: 0.995,
    default: 0.95,
    about: 'Probability that a line with all targets comes out at the end.',
    label: 'Probability of success',
    percent: true,
    group: SIZES,
    stored: 'always',
    step: 1,
  },
  most_plants: {
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    default: 500,
    about: 'Plants of one population that can be grown and genotyped.',
    label: 'Most plants of a population',
    group: SIZES,
    stored: 'always',
  },
  carriers: {
    kind: 'integer',
    min: 1,
    max: 1000,
    default: 5,
    about:
      'Plants with all targets wanted in each backcross, of which the one most like the recurrent parent is kept: first by its flanking markers, then by its genome.',
    label: 'Carriers in each backcross',
    group: SIZES,
    stored: 'always',
  },
  flank: {
    kind: 'number',
    min: 0.1,
    max: 100,
    default: 5,
    about: 'Distance of the flanking markers from a target, in cM.',
    label: 'Flanking markers at (cM)',
    unit: 'cM',
    group: 'Advanced',
    stored: 'always',
  },
  cost_cross: { ...COST, default: 20, about: 'Cost of a cross.', label: 'A cross' },
  cost_plant: { ...COST, default: 3, about: 'Cost of a plant with its targets genotyped.', label: 'A plant' },
  cost_genome: {
    ...COST,
    default: 15,
    about: 'Cost of genome-wide markers of a plant: of the carriers of backcrosses.',
    label: 'Genome-wide markers',
  },
  cost_dh: { ...COST, default: 30, about: 'Cost of a doubled haploid line, besides its genotype.', label: 'A DH line' },
  replicates: {
    kind: 'integer',
    min: 20,
    max: 5000,
    default: 400,
    about:
      'Replicates of what is simulated: more than one generation of fixation with more than six targets, and the genome of the recurrent parent.',
    label: 'Replicates',
    group: 'Advanced',
    stored: 'always',
  },
  seed: { ...SEED, about: 'The same seed gives the same numbers.' },
});

/** Results of `heterosis stack`. */
export const STACK_OUTPUTS = defineOptions({
  out: { ...CSV, only: ON_PAGE, about: 'The CSV file of the schedule to write.' },
  report: { ...WRITTEN, only: ON_PAGE, about: 'JSON file of targets, schedule and alternatives.' },
});
