/** Every type of cross; all but the first two name the population grown. */
export const CROSS_TYPES = [
  'biparental',
  'self',
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
 * The progeny of a cross. `biparental` leaves the population to the run; `self` is the selfed progeny of a single
 * plant; the others name the population: F1, single-seed descent, recombinant inbred lines, doubled haploids (from F1,
 * F2 … plants), and backcrosses to the female or the male with doubled haploids from them. `DH` of a single parent
 * means doubled haploids of that plant.
 */
export type CrossType = (typeof CROSS_TYPES)[number];

/**
 * One planned cross: female (parent 1) × male (parent 2). With a third parent it is a three-way cross (female × male)
 * × parent 3, with a fourth a four-way cross (female × male) × (parent 3 × parent 4).
 */
export interface Cross {
  /** Given name, or the parents joined by `_X_`. */
  name: string;
  female: string;
  male: string;
  parent3?: string;
  /** Only together with a third parent. */
  parent4?: string;
  /** Requested number of progeny; null when the file does not say. */
  progenyCount: number | null;
  /** Biparental when the file does not say. */
  type: CrossType;
  /** 1-based line of the file. */
  line: number;
}

/** Names of the two to four parents, in order. */
export function parentsOfCross({ female, male, parent3, parent4 }: Cross): string[] {
  return [female, male, parent3, parent4].filter((name) => name !== undefined);
}

/** The cross with its parents renamed; null if a parent has no new name. */
export function withParents(cross: Cross, nameOf: (parent: string) => string | null | undefined): Cross | null {
  const [female, male, parent3, parent4] = parentsOfCross(cross).map((name) => nameOf(name) ?? null);
  if (female == null || male == null || parent3 === null || parent4 === null) return null;
  return {
    ...cross,
    ...{ female, male },
    ...(parent3 === undefined ? {} : { parent3 }),
    ...(parent4 === undefined ? {} : { parent4 }),
  };
}
