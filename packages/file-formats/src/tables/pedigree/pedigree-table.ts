/** Why an individual stands in a pedigree. */
export type PedigreeOrigin = 'row' | 'founder' | 'cross';

/** A pedigree: one entry an individual, those with a row of their own first, parents in any order. */
export interface PedigreeTable {
  names: string[];
  /** Position of the female parent; −1 = unknown. */
  maternal: Int32Array;
  /** Position of the male parent; −1 = unknown. */
  paternal: Int32Array;
  /** Generations of selfing after the cross; Infinity = fully inbred, −1 = a clone of its one parent. */
  selfings: Float64Array;
  collections: (string | null)[];
  /** A row of the file, a founder that is named only as a parent, or a cross in between of a Purdy string. */
  origins: PedigreeOrigin[];
}
