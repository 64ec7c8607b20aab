/**
 * What is made of the parents. `biparental` leaves it to the run which population is grown; `self` is the selfed progeny of a single plant; the others name the
 * population: F1, single-seed descent, recombinant inbred lines, doubled haploids (from the F1 plant or from an F2 plant), backcrosses
 * to the female or the male and doubled haploids from them. `DH` of a single parent are doubled haploids of that plant.
 */
export type CrossType =
  | 'biparental'
  | 'self'
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

/** One planned cross: female (parent 1) × male (parent 2). */
export interface Cross {
  /** Given name, or `P1_X_P2`. */
  name: string;
  female: string;
  male: string;
  /** Number of progeny wanted; null when the file does not say. */
  progenyCount: number | null;
  /** Biparental when the file does not say. */
  type: CrossType;
  /** 1-based line of the file. */
  line: number;
}
