/** Fewer individuals than this for each value, on average, and the column is a measurement in whole numbers. */
const INDIVIDUALS_PER_LEVEL = 5;
/** Two values give the same test as a number or as two groups. */
const FEWEST_LEVELS = 3;
/** The reader of groups accepts more; a code with more levels than this has too few individuals for each. */
const MOST_LEVELS = 200;

/** A column of numbers that may be names of groups. */
export interface CodeLike {
  /** Different values. */
  levels: number;
  /** Individuals with a value. */
  n: number;
}

/**
 * Says whether a column of numbers looks like a code for groups (family 1, 2, 3 …) and not like a measurement: whole
 * numbers only, at least 3 different ones, and at least 5 individuals for each on average. Whole-number scores and
 * counts (a disease score of 1–9, days to flowering) look the same: the answer is a reason to ask the user, never to
 * convert the column.
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
