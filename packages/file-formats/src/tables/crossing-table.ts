/** How the progeny of a cross is made. */
export type CrossType = 'biparental' | 'self' | 'dh';

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
