/**
 * The variable in which likelihoods are searched. With h² = σ²g/(σ²g + σ²e) and eigenvalue d of the kinship,
 * covariances are v = 1 + h²(d − 1). Let s = log((h² + ε)/(1 − h²)) with ε = 1/largest eigenvalue. Then h² = 0 lies at
 * the finite s = log ε, and for every eigenvalue the singularities of 1/v lie at distance π from the real axis.
 * Chebyshev series in s therefore converge like ρ⁻ᵏ with log ρ ≈ 2π/(length of the interval), whatever the
 * eigenvalues.
 */
export interface HeritabilityScale {
  epsilon: number;
  low: number;
  high: number;
}

/** Largest h² considered by WALD and LRT: with complete data the ML likelihood is unbounded as h² → 1. */
const LARGEST_H2 = 0.99;
/** Size of the first omitted coefficient relative to the largest: below the rounding error of the products. */
const SERIES_TOLERANCE = 1e-13;

/** The scale for a kinship with the given largest eigenvalue. */
export function heritabilityScale(largestEigenvalue: number): HeritabilityScale {
  const epsilon = 1 / Math.max(1, largestEigenvalue);
  return { epsilon, low: Math.log(epsilon), high: Math.log((LARGEST_H2 + epsilon) / (1 - LARGEST_H2)) };
}

export function h2OfPosition(scale: HeritabilityScale, s: number): number {
  const e = Math.exp(s);
  return Math.min(LARGEST_H2, Math.max(0, (e - scale.epsilon) / (1 + e)));
}

/**
 * Like {@link h2OfPosition} for the whole interval, but exactly 0 and 0.99 at its ends, where the formula has rounding
 * errors.
 */
export function boundedH2(s: number, whole: HeritabilityScale): number {
  if (s === whole.low) return 0;
  return s === whole.high ? LARGEST_H2 : h2OfPosition(whole, s);
}

export function positionOfH2(scale: HeritabilityScale, h2: number): number {
  const bounded = Math.min(LARGEST_H2, Math.max(0, h2));
  return Math.min(scale.high, Math.max(scale.low, Math.log((bounded + scale.epsilon) / (1 - bounded))));
}

/** Number of Chebyshev coefficients that represent 1/v on the interval to rounding error. */
export function seriesLength(scale: HeritabilityScale): number {
  const ratio = (2 * Math.PI) / (scale.high - scale.low);
  const rho = ratio + Math.sqrt(1 + ratio * ratio);
  return Math.ceil(-Math.log(SERIES_TOLERANCE) / Math.log(rho)) + 2;
}

/** Positions s of the Chebyshev nodes (zeros of the polynomial of the given degree). */
export function chebyshevNodes(scale: HeritabilityScale, length: number): Float64Array {
  const middle = 0.5 * (scale.low + scale.high);
  const half = 0.5 * (scale.high - scale.low);
  return Float64Array.from({ length }, (_, k) => middle + half * Math.cos((Math.PI * (k + 0.5)) / length));
}

/**
 * The length × length matrix (column-major) that maps values at the nodes to coefficients: c = values·matrix for a row
 * of values. The first coefficient is already halved, so that f(x) = Σ c_j T_j(x).
 */
export function coefficientTransform(length: number): Float64Array {
  const transform = new Float64Array(length * length);
  for (let j = 0; j < length; j++) {
    for (let k = 0; k < length; k++) {
      transform[k + j * length] = ((j === 0 ? 1 : 2) / length) * Math.cos((j * Math.PI * (k + 0.5)) / length);
    }
  }
  return transform;
}

/** Chebyshev coefficients of a function on the scale. */
export function chebyshevSeries(scale: HeritabilityScale, length: number, f: (s: number) => number): Float64Array {
  const values = chebyshevNodes(scale, length).map(f);
  const transform = coefficientTransform(length);
  return Float64Array.from({ length }, (_, j) => {
    let sum = 0;
    for (let k = 0; k < length; k++) sum += values[k] * transform[k + j * length];
    return sum;
  });
}
