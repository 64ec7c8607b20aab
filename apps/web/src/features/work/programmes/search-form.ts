import { numbersOf, type SchemeNumber } from '@heterosis/contracts/work/programmes/programme-numbers';
import type { ProgrammeSearch } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme, ProgrammeStage } from '@heterosis/contracts/work/programmes/programme-schemes';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';

/** A number of a scheme that may move, with those that move along: as many parents at the start as in each cycle. */
export interface Movable {
  key: string;
  name: string;
  paths: string[];
  number: SchemeNumber;
}

/** A search as it is typed; a number whose bounds are empty stays as it is. */
export interface SearchValues {
  bounds: Record<string, { min: FieldNumber; max: FieldNumber }>;
  stage: string;
  quantity: string;
  diversity: boolean;
  evaluations: FieldNumber;
  replicates: FieldNumber;
}

/** Quantities of trait 1 that a search may want more of. */
const GAINS = ['mean_gv1', 'top4_gv1', 'max_gv1'];
const HYBRID_GAINS = ['mean_hybrid', 'best_hybrid'];
const STEP = 1000;
const LONGEST_NAME = 63;
/** Bounds are proposed for at most so many. */
const PROPOSED = 6;
const PROPOSED_FIELDS = ['lines', 'count', 'environments'];

export function movableNumbers(scheme: ProgrammeScheme, nameOf: (field: string) => string): Movable[] {
  const found = new Map<string, Movable>();
  for (const number of numbersOf(scheme)) {
    const stage = number.place === null ? undefined : scheme[number.place.list]?.[number.place.index];
    if (stage === undefined || number.field === 'years') continue;
    const target = targetOf(stage);
    const key = `${stage.do} ${target} ${number.field}`;
    const before = found.get(key);
    if (before === undefined) {
      const name = `${target}: ${nameOf(number.field)}`.slice(0, LONGEST_NAME);
      found.set(key, { key, name, paths: [number.path], number });
    } else before.paths.push(number.path);
  }
  return [...found.values()];
}

const targetOf = (stage: ProgrammeStage): string =>
  'into' in stage ? stage.into : 'as' in stage ? `${stage.population}, ${stage.as}` : stage.do;

/** Stages of the results that the cycle measures, the last one last. */
export const measuredStages = ({ cycle }: ProgrammeScheme): string[] => [
  ...new Set(cycle.flatMap((stage) => (stage.do === 'measure' ? [stage.stage] : []))),
];

/** Quantities of a stage that a search may want more of: of hybrids, and what it reports, as the mean of an index. */
export function gainsOf({ cycle }: ProgrammeScheme, stage: string): string[] {
  const measures = cycle.filter((one) => one.do === 'measure').filter((one) => one.stage === stage);
  const ofHybrids = measures.some((one) => one.hybrids_with !== undefined);
  const ofPlants = measures.length === 0 || measures.some((one) => one.hybrids_with === undefined);
  const reported = measures.flatMap(({ report = {} }) => Object.keys(report));
  return [...new Set([...(ofPlants ? GAINS : []), ...(ofHybrids ? HYBRID_GAINS : []), ...reported])];
}

/** Bounds from half to twice of what templates say, for the numbers that matter most. */
export function proposedSearch(scheme: ProgrammeScheme, movable: readonly Movable[]): SearchValues {
  const moving = movable.filter(
    ({ number }) => number.place?.list === 'cycle' && PROPOSED_FIELDS.includes(number.field),
  );
  const linked = movable.filter(({ paths, number }) => paths.length > 1 && PROPOSED_FIELDS.includes(number.field));
  const bounds = [...new Set([...linked, ...moving])].slice(0, PROPOSED).map(({ key, number }) => {
    const { field, value, max } = number;
    const most = field === 'environments' ? Math.max(3, 2 * value) : 2 * value;
    return [key, { min: Math.max(1, Math.ceil(value / 2)), max: Math.min(max, most) }] as const;
  });
  const stages = measuredStages(scheme);
  return {
    bounds: Object.fromEntries(bounds),
    stage: stages.at(-1) ?? '',
    quantity: gainsOf(scheme, stages.at(-1) ?? '')[0] ?? '',
    diversity: true,
    evaluations: 120,
    replicates: 8,
  };
}

/** What the request holds; null where nothing moves. */
export function searchBody(
  values: SearchValues,
  movable: readonly Movable[],
  budget: FieldNumber,
): ProgrammeSearch | null {
  const numbers = movable.flatMap(({ key, name, paths }) => {
    const { min = '', max = '' } = values.bounds[key] ?? {};
    return min === '' || max === '' ? [] : [{ name, paths, min: numberOf(min), max: numberOf(max) }];
  });
  if (numbers.length === 0) return null;
  const { stage, quantity } = values;
  return {
    budget: numberOf(budget),
    budget_of: 'cycle',
    numbers,
    gain: { stage, quantity },
    ...(values.diversity ? { diversity: { stage, quantity: 'he_neutral' } } : {}),
    evaluations: numberOf(values.evaluations),
    replicates: numberOf(values.replicates),
    step: STEP,
  };
}

/** A search that is run again, as it is typed. */
export function searchValues(search: ProgrammeSearch, movable: readonly Movable[]): SearchValues {
  const bounds = movable.flatMap(({ key, paths }) => {
    const one = search.numbers.find((number) => number.paths.some((path) => paths.includes(path)));
    return one === undefined ? [] : [[key, { min: one.min, max: one.max }] as const];
  });
  return {
    bounds: Object.fromEntries(bounds),
    ...{ stage: search.gain.stage, quantity: search.gain.quantity, diversity: search.diversity !== undefined },
    ...{ evaluations: search.evaluations, replicates: search.replicates },
  };
}
