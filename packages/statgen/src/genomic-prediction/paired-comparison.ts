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

/** The regularized incomplete beta function, by its continued fraction (Lentz's method; Press et al. 2007, §6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

const MOST_TERMS = 10_000;
const SMALLEST = 1e-300;

function fraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < SMALLEST ? SMALLEST : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const before = result;
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      result *= c * d;
    }
    if (Math.abs(result - before) <= Number.EPSILON * Math.abs(result)) break;
  }
  return result;
}

/** Stirling's series after a shift beyond 15: twelve digits and more. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 15; z++) shift -= Math.log(z);
  const r = 1 / (z * z);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / z;
  return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series;
}
