/**
 * What is grown from a cross of two parents, each of whose plants or lines comes from an F1 plant of its own.
 *
 * F1: progeny of the parents themselves. F2 … F9: single-seed descent by selfing, one plant a line. RIL: selfing to
 * fixation. DH: doubled haploids from F1 gametes; F2_DH from gametes of F2 plants. BC1_female / BC1_male: the F1 crossed
 * back to that parent; BC1_female_DH: doubled haploids from such plants.
 */
export type Population =
  | 'F1'
  | 'F2'
  | 'F3'
  | 'F4'
  | 'F5'
  | 'F6'
  | 'F7'
  | 'F8'
  | 'F9'
  | 'RIL'
  | 'DH'
  | 'F2_DH'
  | 'BC1_female'
  | 'BC1_male'
  | 'BC1_female_DH';

/** Every population, in the order in which they are offered. */
export const POPULATIONS: readonly Population[] = [
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
  'BC1_female',
  'BC1_male',
  'BC1_female_DH',
];

/** How a population comes from the F1 plant: backcross or not, then selfings (Infinity = to fixation), then doubling or not. */
export interface BreedingScheme {
  backcrossTo: 'female' | 'male' | null;
  selfings: number;
  doubled: boolean;
}

/** The steps from the F1 plant to the population. */
export function breedingScheme(population: Population): BreedingScheme {
  switch (population) {
    case 'RIL':
      return { backcrossTo: null, selfings: Number.POSITIVE_INFINITY, doubled: false };
    case 'DH':
      return { backcrossTo: null, selfings: 0, doubled: true };
    case 'F2_DH':
      return { backcrossTo: null, selfings: 1, doubled: true };
    case 'BC1_female':
      return { backcrossTo: 'female', selfings: 0, doubled: false };
    case 'BC1_male':
      return { backcrossTo: 'male', selfings: 0, doubled: false };
    case 'BC1_female_DH':
      return { backcrossTo: 'female', selfings: 0, doubled: true };
    default:
      return { backcrossTo: null, selfings: Number(population.slice(1)) - 1, doubled: false };
  }
}
