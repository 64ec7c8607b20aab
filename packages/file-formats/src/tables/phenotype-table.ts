/** A trait of a phenotype file. */
export interface TraitColumn {
  name: string;
  /** From trailing parentheses, `Yield (t/ha)`; null when none is given. */
  unit: string | null;
  /** Ontology id after `|`, for example `CO_322:0000994`. */
  ontologyId: string | null;
  kind: 'numeric' | 'categorical';
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
}
