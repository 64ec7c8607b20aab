import { defineOptions } from './define-options.ts';
import { POLYPLOID_PEDIGREE_OPTIONS } from './pedigrees.ts';
import { POLYPLOID_CROSSING_OPTIONS } from './polyploid-crossing.ts';
import { MAP_OPTIONS, SEED } from './shared.ts';

/** Populations that can be derived from a cross, in the order in which dialogs offer them, and what pages call them. */
export const POPULATION_LABELS = {
  F1: 'F1 (the cross itself)',
  F2: 'F2',
  F3: 'F3',
  F4: 'F4',
  F5: 'F5',
  F6: 'F6',
  F7: 'F7',
  F8: 'F8',
  F9: 'F9',
  RIL: 'Recombinant inbred lines',
  DH: 'Doubled haploids',
  F2_DH: 'Doubled haploids from F2',
  F3_DH: 'Doubled haploids from F3',
  F4_DH: 'Doubled haploids from F4',
  F5_DH: 'Doubled haploids from F5',
  BC1_female: 'Backcross to the female',
  BC1_male: 'Backcross to the male',
  BC1_female_DH: 'Doubled haploids from backcross to the female',
  BC1_male_DH: 'Doubled haploids from backcross to the male',
  BC2_female: 'Second backcross to the female',
  BC2_male: 'Second backcross to the male',
  BC3_female: 'Third backcross to the female',
  BC3_male: 'Third backcross to the male',
} as const;
export type Population = keyof typeof POPULATION_LABELS;
export const POPULATIONS = Object.keys(POPULATION_LABELS) as Population[];

const ORDINALS = ['first', 'second', 'third'];

/** What is grown from a cross, as a methods paragraph names it. */
function progenyInWords(population: Population): string {
  if (population === 'DH') return 'doubled haploid lines';
  if (population === 'RIL') return 'recombinant inbred lines';
  const [, first, parent] = /^BC(\d)_(female|male)/.exec(population) ?? [];
  const plants =
    first === undefined
      ? `${population.replace('_DH', '')} plants`
      : `the ${ORDINALS[Number(first) - 1] ?? first} backcross to the ${parent} parent`;
  if (population.endsWith('_DH')) return `doubled haploid lines from ${plants}`;
  return first === undefined ? `${population} progeny` : plants;
}

/** Prints 7 instead of 7.000000000000001. */
const percent = (share: number): number => Number((share * 100).toPrecision(12));

/** Of plans and simulations. */
const SELECTED_FRACTION = {
  kind: 'number',
  min: 1e-6,
  max: 1,
  default: 0.05,
  about: 'Selected share of the progeny, for the usefulness.',
  title: 'Selected fraction',
  stored: 'always',
} as const;
const ACCURACY = {
  kind: 'number',
  min: 0,
  max: 1,
  default: 1,
  title: 'Selection accuracy',
  stored: 'always',
} as const;
const MISSING_MAP_MARKERS = {
  kind: 'choice',
  choices: ['interpolate', 'drop'],
  default: 'interpolate',
  title: 'Markers that are not on the map',
  stored: 'always',
} as const;
const BP_PER_CM = {
  kind: 'number',
  min: 1000,
  max: 1e9,
  default: 1_000_000,
  about: 'Base pairs per cM when there is no linkage map.',
  title: 'Base pairs per cM',
  stored: 'elsewhere',
} as const;
const LOW_TRAITS = {
  kind: 'list',
  default: [],
  about: 'Traits in which low values are wanted.',
  label: 'Lower is better for',
  hint: 'For all other traits, higher is better.',
  stored: 'always',
} as const;

const PROGENY = 'Progeny';
const ONE_PLACE = 'A request names the traits in which low values are wanted, one by one.';
const FILES = 'The page of the run offers its results as files.';

/** In the order of `heterosis cross`. */
export const CROSSING_OPTIONS = defineOptions({
  all_pairs: {
    kind: 'flag',
    about:
      'Rank all pairs of the genotyped individuals instead of a crossing table, by exact figures; backcrosses in both directions.',
    only: { place: 'cli', why: 'On the server crossing plans rank the pairs.' },
    input: false,
  },
  map: {
    ...MAP_OPTIONS.map,
    about:
      'The linkage map: marker, chromosome and position in cM (or Morgan). It decides on which chromosome each marker lies and where; it is an error when it contradicts the genotype.',
    only: { place: 'cli', why: 'A request names the file as an input (`linkage_map_id`).' },
    cli: { ...MAP_OPTIONS.map.cli, required: true },
  },
  map_unit: MAP_OPTIONS.map_unit,
  missing_map_markers: {
    ...MISSING_MAP_MARKERS,
    about:
      'Markers that are not on the linkage map: interpolated between their neighbours by base pairs, or used in the means only.',
    cli: {
      help: 'Markers that the map lacks: placed between their neighbours by base pairs, or counted in means but not in variances.',
    },
  },
  population: {
    kind: 'choice',
    choices: POPULATIONS,
    default: 'DH',
    about: 'Population of crosses for which the crossing table names none.',
    label: 'Population type',
    labels: POPULATION_LABELS,
    group: PROGENY,
    stored: 'always',
    says: progenyInWords,
    cli: {
      placeholder: 'NAME',
      help: 'What is grown from each pair, and from the crosses of the table that have no type or the type "biparental".',
    },
  },
  progeny: {
    kind: 'integer',
    min: 1,
    max: 100_000,
    default: 1000,
    about:
      'Progeny of crosses for which the crossing table gives no number: as many are simulated, and the expected best is the best of as many.',
    label: 'Progeny per cross',
    group: PROGENY,
    stored: 'always',
    cli: {
      max: 10_000_000,
      help: 'Progeny of a cross for which the crossing table gives no number.',
      why: 'A server stores the values of all progeny, at most 2,000,000 of a run.',
    },
  },
  seed: { ...SEED, about: 'Seed of the simulation.' },
  selected_fraction: {
    ...SELECTED_FRACTION,
    label: 'Selected',
    percent: true,
    group: PROGENY,
    cli: { name: 'select', help: 'Fraction selected, up to 1, for the usefulness.' },
    says: (share: number) => `best ${percent(share)} %`,
  },
  accuracy: {
    ...ACCURACY,
    label: ACCURACY.title,
    step: 0.05,
    group: PROGENY,
    about:
      'Accuracy of the selection: the square root of the heritability; 1 for selection on the genetic value itself.',
    cli: { help: 'Accuracy of selection (square root of heritability), 0 to 1, for the usefulness.' },
    says: (accuracy: number) => `accuracy (${accuracy})`,
  },
  low: {
    kind: 'flag',
    about: 'Low values are wanted of all traits.',
    only: { place: 'cli', why: ONE_PLACE },
    input: false,
  },
  low_traits: {
    ...LOW_TRAITS,
    most: 1000,
    cli: { placeholder: 'T,T', help: 'Traits whose low values are wanted, whatever holds for the others.' },
    says: (traits: readonly string[]) => (traits.length === 0 ? '' : `Lower is better for ${traits.join(', ')}.`),
  },
  high_traits: {
    kind: 'list',
    about: 'Traits whose high values are wanted, beside --low.',
    only: { place: 'cli', why: ONE_PLACE },
    cli: { placeholder: 'T,T' },
  },
  map_function: {
    kind: 'choice',
    choices: ['haldane', 'kosambi'],
    default: 'haldane',
    about:
      'How recombination follows from map distance. kosambi gives the exact figures only: it says nothing about how crossovers lie along a chromosome, so no progeny are simulated.',
    label: 'Map function',
    hint: 'How recombination follows from map distance. Kosambi accounts for interference; it gives exact figures only, without simulated progeny.',
    labels: { haldane: 'Haldane', kosambi: 'Kosambi (exact figures only)' },
    stored: 'always',
    says: (name: 'haldane' | 'kosambi') => ({ haldane: 'Haldane (1919)', kosambi: 'Kosambi (1943)' })[name],
    cli: {
      help: 'How recombination follows from map distance. kosambi gives exact figures only: with --analytic-only or --all-pairs.',
    },
  },
  ...POLYPLOID_CROSSING_OPTIONS,
  analytic_only: {
    kind: 'flag',
    about: 'Do not simulate.',
    only: { place: 'cli', why: 'The server simulates whatever can be simulated.' },
    input: false,
  },
  bp_per_cm: {
    ...BP_PER_CM,
    label: BP_PER_CM.title,
    hint: 'One rate for the whole genome. A linkage map gives more accurate variances.',
    step: 100_000,
    only: { place: 'api', why: '`heterosis cross` needs a linkage map.' },
  },
  phase_first: {
    kind: 'flag',
    about: 'Phases the genotype first, into a file of its own, and simulates with that; for heterozygous parents.',
    only: { place: 'api', why: '`heterosis phase` writes the file.' },
  },
});

/** Results of `heterosis cross` besides its table. */
export const CROSSING_OUTPUTS = defineOptions({
  progeny_out: {
    kind: 'text',
    about: 'Write the simulated values to this CSV file, one row a progeny.',
    only: { place: 'cli', why: FILES },
    cli: { path: 'write', placeholder: 'FILE' },
  },
  progeny_vcf: {
    kind: 'text',
    about:
      'Write the phased genotypes of the simulated progeny to this VCF, compressed (bgzip) when its name ends in .gz.',
    only: { place: 'cli', why: 'The server stores the values of progeny, not their genotypes.' },
    cli: { path: 'write', placeholder: 'FILE' },
  },
});

/** The two parents of a backcross are not alike, and a plan pairs parents that are. */
const PLANNED_LABELS = Object.fromEntries(
  Object.entries(POPULATION_LABELS).filter(([population]) => !population.startsWith('BC')),
);

const IN_THE_BROWSER =
  'The page of a plan computes it anew in the browser with each change, which larger plans would make slow.';
const A_FILE = 'The names stand in a file.';
const IN_ORDER = 'A list has no names: the numbers stand in the order of the traits.';

const INDICES = {
  base: 'a base index (Williams 1962)',
  smith_hazel: 'a Smith–Hazel index (Smith 1936; Hazel 1943)',
  desired_gains: 'an index of desired gains (Pesek & Baker 1969)',
  restricted: 'a restricted index (Kempthorne & Nordskog 1959)',
};
const MADE_SOURCES = { germplasm: 'the germplasm list', crossing_tables: 'all crossing tables of the project' };

/** In the order of `heterosis plan`. */
export const PLAN_OPTIONS = defineOptions({
  index_method: {
    kind: 'choice',
    choices: ['base', 'smith_hazel', 'desired_gains', 'restricted'],
    default: 'base',
    about: 'How the index weighs several traits.',
    title: 'Index',
    labels: {
      base: 'Base: weights as given',
      smith_hazel: 'Smith–Hazel: largest gain',
      desired_gains: 'Desired gains',
      restricted: 'Restricted: keep some traits',
    },
    stored: 'always',
    cli: { name: 'index' },
    says: (method: keyof typeof INDICES) => INDICES[method],
  },
  weights: {
    kind: 'own',
    byName: true,
    about: 'Trait → weight, or desired gain; positive for the wanted direction.',
    stored: 'always',
    cli: {
      kind: 'list',
      placeholder: 'W,W',
      help: 'Weights (or desired gains) of the traits, in their order. Default: 1 / standard deviation of each.',
      why: IN_ORDER,
    },
  },
  kept_traits: {
    kind: 'list',
    most: 6,
    default: [],
    about: 'Traits that shall not change, with `restricted`.',
    title: 'Traits kept as they are',
    stored: 'always',
    cli: { name: 'keep', placeholder: 'T,T', help: 'Traits that shall not change, with --index restricted.' },
  },
  low_traits: { ...LOW_TRAITS, most: 6, cli: { placeholder: 'T,T' } },
  trait_accuracy: {
    kind: 'own',
    byName: true,
    title: 'Accuracy of the trait',
    about:
      'Trait → accuracy of its breeding values, for `smith_hazel`. Absent: 1. Of no use where the model was fitted to the traits together, whose genetic covariances say more.',
    stored: 'always',
    cli: {
      kind: 'list',
      placeholder: 'R,R',
      help: 'Accuracies of the breeding values, in the order of the traits, for --index smith_hazel. Default: equal.',
      why: IN_ORDER,
    },
  },
  candidates: {
    kind: 'own',
    min: 2,
    max: 2000,
    label: 'Candidates',
    about:
      'Names in the genotype or, with `candidates_from` `model`, in the model. Null: everyone in the genotype, or all of the model that the pedigree has.',
    stored: 'always',
    cli: {
      kind: 'text',
      path: 'read',
      placeholder: 'FILE',
      help: 'Names of the candidates, one a line. Default: everyone in the genotype; without one, all individuals of the model that the pedigree has.',
      why: A_FILE,
    },
  },
  crosses: {
    kind: 'integer',
    min: 1,
    max: 500,
    default: 20,
    about: 'Number of crosses.',
    label: 'Crosses',
    group: 'Crosses',
    stored: 'always',
    cli: { max: 1000, why: IN_THE_BROWSER },
  },
  max_uses: {
    kind: 'integer',
    min: 1,
    max: 500,
    default: 4,
    about: 'Crosses that a parent is in at most.',
    label: 'Uses per parent, at most',
    group: 'Crosses',
    stored: 'always',
    says: (count: number) => `each in at most ${count}`,
    cli: { max: 1000, why: IN_THE_BROWSER },
  },
  cap: {
    kind: 'number',
    min: 0,
    max: 10,
    nullable: true,
    default: null,
    title: 'Cap on group coancestry',
    about: 'Largest group coancestry of the parents. Null: where gain and diversity give up the same share.',
    stored: 'always',
    cli: { help: 'Largest group coancestry of the parents.' },
  },
  required_pairs: {
    kind: 'own',
    about: 'Pairs that must be made.',
    stored: 'always',
    cli: {
      name: 'required',
      kind: 'text',
      path: 'read',
      placeholder: 'FILE',
      help: 'A crossing table of pairs that must be made.',
      why: A_FILE,
    },
  },
  forbidden_pairs: {
    kind: 'own',
    about: 'Pairs that must not be made.',
    stored: 'always',
    cli: {
      name: 'forbidden',
      kind: 'text',
      path: 'read',
      placeholder: 'FILE',
      help: 'A crossing table of pairs that must not be made, or have been.',
      why: A_FILE,
    },
  },
  mates: {
    kind: 'choice',
    choices: ['usefulness', 'inbreeding'],
    default: 'usefulness',
    about: 'Pair the parents for the largest spread within crosses, or for the least inbred progeny.',
    title: 'Pair parents for',
    labels: { usefulness: 'Spread within crosses', inbreeding: 'Least inbreeding' },
    stored: 'always',
    says: (mates: 'usefulness' | 'inbreeding', { population }: { population: Population | null }) =>
      `Parents were paired for ${mates === 'usefulness' && population !== null ? `the largest genetic standard deviation within crosses (${population})` : 'the least inbred progeny'}.`,
  },
  population: {
    kind: 'choice',
    choices: POPULATIONS,
    nullable: true,
    default: 'DH',
    about: 'What is grown from each cross; no backcross. Null leaves out the spread within crosses.',
    label: 'Population type',
    hint: 'What is grown from each cross. Without it, candidates need no phase, and usefulness is left out.',
    labels: { ...PLANNED_LABELS, null: 'None: breeding values only' },
    stored: 'always',
    cli: {
      choices: [...Object.keys(PLANNED_LABELS), 'none'],
      placeholder: 'NAME',
      help: 'What is grown from each cross. With none the spread within crosses is left out.',
      why: 'none is null.',
    },
  },
  selected_fraction: {
    ...SELECTED_FRACTION,
    cli: { name: 'select', help: 'Fraction selected, for the usefulness.' },
  },
  accuracy: { ...ACCURACY, about: 'Accuracy of that selection, for the usefulness.' },
  candidates_from: {
    kind: 'choice',
    choices: ['genotype', 'model'],
    default: 'genotype',
    about:
      '`model`: individuals of a single-step model, genotyped or not, with its GEBVs; needs `pedigree_id` and no genotype. What segregates within their crosses is not known: `population` counts as null.',
    label: 'Candidates are',
    hint: 'A single-step model has breeding values for individuals without genotype. The spread within their crosses is not known, so parents are paired for the least inbreeding.',
    labels: { genotype: 'Individuals of a genotype file', model: 'Individuals of the model' },
    only: { place: 'api', why: 'On the command line it follows from the files given.' },
    stored: 'always',
    says: (source: 'genotype' | 'model') => (source === 'model' ? 'single-step model' : 'model'),
  },
  made_from: {
    kind: 'list',
    choices: ['germplasm', 'crossing_tables'],
    most: 2,
    default: [],
    about:
      'Where else pairs already made are looked up. `germplasm`: the parents of all lines of the crop; `crossing_tables`: all crossing tables of the project.',
    label: 'Crosses already made',
    hint: 'Pairs of candidates that have already been crossed, in either direction.',
    title: 'Crosses already made from',
    labels: {
      germplasm: 'Parents of lines in the germplasm list',
      crossing_tables: 'All crossing tables of the project',
    },
    proposed: ['germplasm'],
    only: { place: 'api', why: 'The command line has neither; --forbidden reads pairs that have been made.' },
    stored: 'always',
    says: (sources: readonly (keyof typeof MADE_SOURCES)[]) =>
      sources.map((source) => MADE_SOURCES[source]).join(' and ') || 'a crossing table',
  },
  allow_made: {
    kind: 'flag',
    about: 'Whether pairs already made may be planned again; otherwise they are left out, unless required.',
    label: 'Allow crosses already made',
    only: { place: 'api', why: 'On the command line nothing is known to have been made.' },
    stored: 'always',
    says: (isAllowed: boolean) => (isAllowed ? 'could be crossed again' : 'were left out unless required'),
  },
  ...POLYPLOID_PEDIGREE_OPTIONS,
  missing_map_markers: {
    ...MISSING_MAP_MARKERS,
    about: 'Markers that are not on the linkage map: interpolated between their neighbours, or used in the means only.',
    only: { place: 'api', why: 'The command line interpolates them.' },
  },
  bp_per_cm: { ...BP_PER_CM, only: { place: 'api', why: 'On the command line a cM is a million base pairs.' } },
});

/** Results of `heterosis plan` besides its crosses. */
export const PLAN_OUTPUTS = defineOptions({
  candidates_out: {
    kind: 'text',
    about: 'Write the candidates with breeding values, index, contribution and number of crosses.',
    only: { place: 'cli', why: FILES },
    cli: { path: 'write', placeholder: 'FILE' },
  },
  pairs_out: {
    kind: 'text',
    about: 'Write the 1,000 most useful pairs.',
    only: { place: 'cli', why: FILES },
    cli: { path: 'write', placeholder: 'FILE' },
  },
  curve_out: {
    kind: 'text',
    about: 'Write the curve of value against group coancestry.',
    only: { place: 'cli', why: FILES },
    cli: { path: 'write', placeholder: 'FILE' },
  },
});
