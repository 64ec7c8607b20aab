import { incompleteBeta } from '../incomplete-beta.ts';

/** Two models that were evaluated on the same folds. */
export interface PairedComparison {
  /** Mean of the differences of the folds, first model minus second. */
  difference: number;
  /** √((1/J + n_test/n_train)·s²): training parts overlap, so differences of folds are correlated. */
  standardError: number;
  /** Difference divided by its error; 0 where no fold differs. */
  t: number;
  /** J − 1. */
  degrees: number;
  /** Two-sided. */
  p: number;
}

/**
 * The corrected resampled t-test of Nadeau & Bengio (2003, Mach Learn 52:239, eq. 7) for differences of two models over
 * the folds of repeated cross-validation. Without the correction the test rejects far too often.
 *
 * @param differences J of them, at least 2, all finite
 * @param testShare n_test/n_train, 1/(k − 1) with k folds
 */
export function compareFolds(differences: ArrayLike<number>, testShare: number): PairedComparison {
  const count = differences.length;
  const values = Array.from(differences);
  const difference = values.reduce((sum, value) => sum + value, 0) / count;
  const square = values.reduce((sum, value) => sum + (value - difference) ** 2, 0) / (count - 1);
  const standardError = Math.sqrt((1 / count + testShare) * square);
  const t = difference === 0 ? 0 : difference / standardError;
  return { difference, standardError, t, degrees: count - 1, p: studentP(t, count - 1) };
}

/** Two-sided tail of Student's t: I_x(ν/2, ½), x = ν/(ν + t²). */
export function studentP(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0;
  return incompleteBeta(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
}
