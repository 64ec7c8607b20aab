import type { PhenotypeShape } from '../../file-kinds.ts';
/** A trait of a phenotype file. */
export interface TraitColumn {
  name: string;
  /** From trailing parentheses, `Yield (t/ha)`; null when none is given. */
  unit: string | null;
  /** Ontology id after `|`, for example `CO_322:0000994`. */
  ontologyId: string | null;
  kind: 'numeric' | 'categorical';
  /** The file gives it as a covariate of its traits (TASSEL); it is no trait. Absent in tables of older versions. */
  isCovariate?: boolean;
}

/** How the values of a trait were computed from the rows of the file. */
export type TraitReduction = 'as given' | 'mean' | 'adjusted mean';

/** How many values of each trait an environment has, in the order of the table's traits. */
export interface EnvironmentCounts {
  /** The design columns that make an environment, joined: `Hai Duong / 2021`. */
  name: string;
  observations: number[];
  individuals: number[];
}

/**
 * A column that assigns individuals to groups: a trait of words (origin, sex, maturity class), or a design column
 * (location, year, block) with one value per individual.
 */
export interface GroupColumn {
  name: string;
  origin: 'trait' | 'design';
  /** Names of the groups, sorted, numbers by value; empty where `conflict` or `hasTooMany` says why. */
  groups: string[];
  /** One per individual: its place in `groups`, −1 = missing. */
  codes: Int32Array;
  /** The first individual whose rows name two groups: the column distinguishes rows, not individuals. */
  conflict: { individual: string; groups: [string, string] } | null;
  /** More than 1,000 different words: notes, dates or names. */
  hasTooMany: boolean;
}

/**
 * A checked phenotype file reduced to one row per individual. Shapes with design columns are reduced to adjusted means;
 * `observations` counts the values behind each mean.
 */
export interface PhenotypeTable {
  shape: PhenotypeShape;
  individuals: string[];
  traits: TraitColumn[];
  /**
   * One column per trait in the order of `traits`, length = individuals; NaN = missing. Categorical traits are all NaN.
   */
  values: Float64Array[];
  /** Number of observations behind each value, same layout as `values`. */
  observations: Int32Array[];
  /** Per trait; `as given` when no individual has more than one value. */
  reductions: TraitReduction[];
  /** Entry-mean H² per trait, 0–1; null where it cannot be estimated. */
  h2: (number | null)[];
  /** Categorical traits and design columns, in the order of the file's traits, then of its design. */
  groups: GroupColumn[];
  /** Empty without design columns. */
  environments: EnvironmentCounts[];
}
