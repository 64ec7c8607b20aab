/** With fewer individuals than this per value, on average, the column is a measurement in whole numbers. */
const INDIVIDUALS_PER_LEVEL = 5;
/** Two values give the same test as numbers and as groups. */
const FEWEST_LEVELS = 3;
/** The group reader accepts more; a code with more levels has too few individuals per level. */
const MOST_LEVELS = 200;

/** A column of numbers that may be group codes. */
export interface CodeLike {
  /** Number of distinct values. */
  levels: number;
  /** Number of individuals with a value. */
  n: number;
}

/**
 * Whether a column of numbers looks like group codes (family 1, 2, 3 …) rather than a measurement: whole numbers only,
 * at least 3 distinct ones, and at least 5 individuals for each on average. Integer scores and counts (a disease score
 * of 1–9, days to flowering) look the same, so use the answer to ask the user, never to convert the column.
 *
 * @param values one per individual; NaN = missing
 * @returns null when the column does not look like a code
 */
export function looksLikeCode(values: ArrayLike<number>): CodeLike | null {
  const levels = new Set<number>();
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    if (!Number.isSafeInteger(value)) return null;
    n++;
    levels.add(value);
    if (levels.size > MOST_LEVELS) return null;
  }
  if (levels.size < FEWEST_LEVELS || n < INDIVIDUALS_PER_LEVEL * levels.size) return null;
  return { levels: levels.size, n };
}
