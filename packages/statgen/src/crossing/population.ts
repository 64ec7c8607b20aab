/**
 * Kinds of progeny of a cross. Each plant or line comes from its own F1 plant.
 *
 * F1: progeny of the parents themselves. F2 … F9: single-seed descent by selfing, one plant per line. RIL: selfing to
 * fixation. DH: doubled haploids from F1 gametes; F2_DH … F5_DH from gametes of F2 … F5 plants. BC1, BC2, BC3: the F1
 * backcrossed once, twice or three times to the female or the male; BC1_…_DH: doubled haploids from BC1 plants.
 */
export type Population = (typeof POPULATIONS)[number];

/** Every population, in display order. */
export const POPULATIONS = [
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'RIL',
  'DH',
  'F2_DH',
  'F3_DH',
  'F4_DH',
  'F5_DH',
  'BC1_female',
  'BC1_male',
  'BC1_female_DH',
  'BC1_male_DH',
  'BC2_female',
  'BC2_male',
  'BC3_female',
  'BC3_male',
] as const;

/**
 * How a population derives from the F1 plant: backcrosses, then selfings (Infinity = to fixation), then doubling or
 * not.
 */
export interface BreedingScheme {
  backcrosses: number;
  /** Null without backcrosses. */
  backcrossTo: 'female' | 'male' | null;
  selfings: number;
  doubled: boolean;
}

/** The steps from the F1 plant to the population. */
export function breedingScheme(population: Population): BreedingScheme {
  const doubled = population.endsWith('DH');
  const none = { backcrosses: 0, backcrossTo: null } as const;
  if (population === 'RIL') return { ...none, selfings: Number.POSITIVE_INFINITY, doubled };
  if (population === 'DH') return { ...none, selfings: 0, doubled };
  const generation = Number(/\d/.exec(population)?.[0]);
  if (population.startsWith('F')) return { ...none, selfings: generation - 1, doubled };
  const backcrossTo = population.includes('_female') ? 'female' : 'male';
  return { backcrosses: generation, backcrossTo, selfings: 0, doubled };
}
