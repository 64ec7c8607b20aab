import { matrixOf } from '@heterosis/linalg/matrix';
import { largestEigenpairsInPlace } from '@heterosis/linalg/symmetric-eigen';
import { StatgenError } from '../statgen-error.ts';
import { type Flat, factorSmall, lowerPlaces } from './small-covariances.ts';

/** How the genetic covariances of t traits are made: G = LLᵀ, L with some free entries and zeros elsewhere. */
export interface CovarianceShape {
  /** Factors common to the traits; null: G is unstructured, L its Cholesky factor. */
  factors: number | null;
  /** Of L, which has t rows. */
  columns: number;
  /** Free entries (row, column), column by column. */
  places: readonly (readonly [row: number, column: number])[];
}

/** Share of the variances that common factors explain at a start. */
const COMMON_SHARE = 0.7;
/** Least specific share of a variance at a start: at 0 its score vanishes. */
const SPECIFIC_SHARE = 0.2;

export const unstructured = (t: number): CovarianceShape => ({ factors: null, columns: t, places: lowerPlaces(t) });

/** Most factors of t traits: with more, G has more parameters than an unstructured one. */
export function mostFactors(t: number): number {
  let factors = 0;
  while ((t - factors - 1) * (t - factors) >= 2 * t) factors++;
  return factors;
}

/**
 * Factor-analytic of order k: G = ΛΛᵀ + Ψ, Λ t × k, Ψ diagonal (Smith, Cullis & Thompson 2001, Biometrics 57:1138),
 * that is L = [Λ √Ψ]. Factors may be turned; Λ has zeros above its diagonal, so that one Λ is meant.
 *
 * @throws StatgenError `bad-option` for a k with more parameters than an unstructured G
 */
export function factorAnalytic(t: number, factors: number): CovarianceShape {
  const loadings = lowerPlaces(t).filter(([, column]) => column < factors);
  const specific = Array.from({ length: t }, (_, s) => [s, factors + s] as const);
  const places = [...loadings, ...specific];
  if (factors < 1 || factors > mostFactors(t)) {
    throw new StatgenError('bad-option', `${t} traits have no ${factors} factors: there are fewer covariances`, {
      traits: t,
      factors,
    });
  }
  return { factors, columns: factors + t, places };
}

/** Free entries of L at a G; of a factor-analytic one near it. Null where G is not positive definite. */
export function factorEntries(covariance: Flat, t: number, { factors, columns, places }: CovarianceShape): Flat | null {
  const lower = factorSmall(covariance, t);
  if (lower === null) return null;
  if (factors === null) return Float64Array.from(places, ([row, column]) => lower[row * t + column]);
  const loadings = leadingLoadings(covariance, t, factors);
  const factor = new Float64Array(t * columns);
  for (let s = 0; s < t; s++) {
    const variance = covariance[s * (t + 1)];
    let common = 0;
    for (let f = 0; f < factors; f++) {
      factor[s * columns + f] = loadings[s * factors + f];
      common += loadings[s * factors + f] ** 2;
    }
    factor[s * columns + factors + s] = Math.sqrt(Math.max(SPECIFIC_SHARE * variance, variance - common));
  }
  return Float64Array.from(places, ([row, column]) => factor[row * columns + column]);
}

/** L, row by row. */
export function factorFrom(values: ArrayLike<number>, t: number, { columns, places }: CovarianceShape): Flat {
  const factor = new Float64Array(t * columns);
  for (const [k, [row, column]] of places.entries()) factor[row * columns + column] = values[k];
  return factor;
}

/** LLᵀ. */
export function covarianceOf(factor: Flat, t: number, columns: number): Flat {
  const covariance = new Float64Array(t * t);
  for (let i = 0; i < t; i++) {
    for (let j = 0; j < t; j++) {
      for (let k = 0; k < columns; k++) covariance[i * t + j] += factor[i * columns + k] * factor[j * columns + k];
    }
  }
  return covariance;
}

/**
 * The first principal axes of a covariance, a share of their length, turned to zeros above the diagonal; t × k by rows.
 */
function leadingLoadings(covariance: Flat, t: number, factors: number): Flat {
  const { values, vectors } = largestEigenpairsInPlace(matrixOf(t, t, covariance.slice()), factors);
  const loadings = new Float64Array(t * factors);
  for (let f = 0; f < factors; f++) {
    const length = Math.sqrt(COMMON_SHARE * Math.max(0, values[f]));
    for (let s = 0; s < t; s++) loadings[s * factors + f] = length * vectors.data[s + f * t];
  }
  for (let row = 0; row < factors - 1; row++) {
    for (let f = row + 1; f < factors; f++) turn(loadings, { t, factors, row, f });
  }
  return loadings;
}

/** Turns column f against column `row`, so that the entry (row, f) becomes 0. */
function turn(loadings: Flat, { t, factors, row, f }: { t: number; factors: number; row: number; f: number }): void {
  const [a, b] = [loadings[row * factors + row], loadings[row * factors + f]];
  const length = Math.hypot(a, b);
  if (length === 0) return;
  const [cos, sin] = [a / length, b / length];
  for (let s = 0; s < t; s++) {
    const [x, y] = [loadings[s * factors + row], loadings[s * factors + f]];
    loadings[s * factors + row] = cos * x + sin * y;
    loadings[s * factors + f] = cos * y - sin * x;
  }
}
