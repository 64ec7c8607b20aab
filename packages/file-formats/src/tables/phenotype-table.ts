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
  /** Empty without design columns. */
  environments: EnvironmentCounts[];
}
