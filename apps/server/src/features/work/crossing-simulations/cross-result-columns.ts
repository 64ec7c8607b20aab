/**
 * Columns of the table of crosses, one per trait: `mean_0`, `mean_1` … Traits are numbered because users choose their
 * names.
 */
export const CROSS_FIGURES = [
  'parent1_value',
  'parent2_value',
  'mean',
  'sd',
  'usefulness',
  'p_transgress',
  'expected_best',
  'sim_mean',
  'sim_sd',
] as const;

/** Figures that tables of versions before 1.1 lack. */
export const LATER_FIGURES = ['parent3_value', 'parent4_value'] as const;

/** Columns, one for all traits, that tables of versions before 1.1 lack. */
export const LATER_COLUMNS = ['parent3', 'parent4', 'kinship', 'segregating_markers'] as const;

/** Figures by which pages can be sorted; each has a column `rank_…`. */
export const RANKED_FIGURES = ['mean', 'sd', 'usefulness', 'p_transgress', 'expected_best'] as const;

/** The column with the correlation of two traits within the progeny, in either order. */
export const correlationColumn = (t: number, u: number): string => `cor_${Math.min(t, u)}_${Math.max(t, u)}`;
