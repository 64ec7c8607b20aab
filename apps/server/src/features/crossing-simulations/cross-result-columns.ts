/** Columns of the table of crosses, one a trait: `mean_0`, `mean_1` … Traits are numbered, since their names are the user's. */
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

/** Figures with a column `rank_…` each, by which pages are sorted. */
export const RANKED_FIGURES = ['mean', 'sd', 'usefulness', 'p_transgress', 'expected_best'] as const;

/** The column with the correlation of two traits within the progeny, whichever comes first. */
export const correlationColumn = (t: number, u: number): string => `cor_${Math.min(t, u)}_${Math.max(t, u)}`;
