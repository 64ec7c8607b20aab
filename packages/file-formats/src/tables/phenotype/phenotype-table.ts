/** A trait of a phenotype file. */
export interface TraitColumn {
  name: string;
  /** From trailing parentheses, `Yield (t/ha)`; null when none is given. */
  unit: string | null;
  /** Ontology id after `|`, for example `CO_322:0000994`. */
  ontologyId: string | null;
  kind: 'numeric' | 'categorical';
}

/** How the values of a trait came from the rows of the file. */
export type TraitReduction = 'as given' | 'mean' | 'adjusted mean';

/** How many values of each trait an environment holds, in the order of the table's traits. */
export interface EnvironmentCounts {
  /** The design columns that make an environment, joined: `Hai Duong / 2021`. */
  name: string;
  observations: number[];
  individuals: number[];
}

/**
 * A column that puts individuals into groups: a trait of words (origin, sex, maturity class), or a column of the design (location,
 * year, block) that says one thing of each individual.
 */
export interface GroupColumn {
  name: string;
  origin: 'trait' | 'design';
  /** Names of the groups, sorted with numbers by their size; empty where `conflict` or `hasTooMany` says why. */
  groups: string[];
  /** One an individual: its place in `groups`, −1 = missing. */
  codes: Int32Array;
  /** The first individual whose rows name two groups: the column tells rows apart, not individuals. */
  conflict: { individual: string; groups: [string, string] } | null;
  /** More than 1,000 different words: notes, dates or names. */
  hasTooMany: boolean;
}

/**
 * A checked phenotype file reduced to one row an individual.
 * Shapes with design columns (repeated lines) are reduced to adjusted means; `observations` keeps how many values each mean rests on.
 */
export interface PhenotypeTable {
  shape: 'wide' | 'wide-design' | 'long';
  individuals: string[];
  traits: TraitColumn[];
  /** One column a trait in the order of `traits`, length = individuals; NaN = missing. Categorical traits are all NaN. */
  values: Float64Array[];
  /** Number of observations behind each value, same layout as `values`. */
  observations: Int32Array[];
  /** Per trait; `as given` when no individual has more than one value. */
  reductions: TraitReduction[];
  /** Broad-sense heritability of the means, 0–1, per trait; null where it cannot be estimated. */
  h2: (number | null)[];
  /** Categorical traits and design columns, in the order of the file's traits, then of its design. */
  groups: GroupColumn[];
  /** Empty without design columns. */
  environments: EnvironmentCounts[];
}
