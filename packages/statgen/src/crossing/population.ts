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

const selfed = (selfings: number): BreedingScheme => ({
  backcrosses: 0,
  backcrossTo: null,
  selfings,
  doubled: false,
});
const doubled = (scheme: BreedingScheme): BreedingScheme => ({ ...scheme, doubled: true });
const crossedBack = (backcrosses: number, backcrossTo: 'female' | 'male'): BreedingScheme => ({
  ...selfed(0),
  backcrosses,
  backcrossTo,
});

/**
 * Kinds of progeny of a cross. Each plant or line comes from its own F1 plant.
 *
 * F1: progeny of the parents themselves. F2 … F9: single-seed descent by selfing, one plant per line. RIL: selfing to
 * fixation. DH: doubled haploids from F1 gametes; F2_DH … F5_DH from gametes of F2 … F5 plants. BC1, BC2, BC3: the F1
 * backcrossed once, twice or three times to the female or the male; BC1_…_DH: doubled haploids from BC1 plants.
 */
export type Population =
  | 'RIL'
  | 'DH'
  | `F${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`
  | `F${2 | 3 | 4 | 5}_DH`
  | `BC${1 | 2 | 3}_${'female' | 'male'}`
  | `BC1_${'female' | 'male'}_DH`;

/** In display order. */
const SCHEMES: Readonly<Record<Population, BreedingScheme>> = {
  F1: selfed(0),
  F2: selfed(1),
  F3: selfed(2),
  F4: selfed(3),
  F5: selfed(4),
  F6: selfed(5),
  F7: selfed(6),
  F8: selfed(7),
  F9: selfed(8),
  RIL: selfed(Number.POSITIVE_INFINITY),
  DH: doubled(selfed(0)),
  F2_DH: doubled(selfed(1)),
  F3_DH: doubled(selfed(2)),
  F4_DH: doubled(selfed(3)),
  F5_DH: doubled(selfed(4)),
  BC1_female: crossedBack(1, 'female'),
  BC1_male: crossedBack(1, 'male'),
  BC1_female_DH: doubled(crossedBack(1, 'female')),
  BC1_male_DH: doubled(crossedBack(1, 'male')),
  BC2_female: crossedBack(2, 'female'),
  BC2_male: crossedBack(2, 'male'),
  BC3_female: crossedBack(3, 'female'),
  BC3_male: crossedBack(3, 'male'),
};

/** Every population, in display order. */
export const POPULATIONS: readonly Population[] = Object.keys(SCHEMES) as Population[];

/** The steps from the F1 plant to the population. */
export const breedingScheme = (population: Population): BreedingScheme => SCHEMES[population];
