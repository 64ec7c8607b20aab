const SQRT_2PI = Math.sqrt(2 * Math.PI);
/** Above this the continued fraction converges in a few dozen steps; below it the series is accurate and fast. */
const SERIES_LIMIT = 3;
const FRACTION_DEPTH = 120;

/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp(-0.5 * z * z) / SQRT_2PI;
}

/**
 * Upper tail probability P(Z > z) of the standard normal distribution, relative error near 1e-15 even far out in the
 * tail.
 *
 * Inside |z| < 3 by the series Φ(z) − ½ = φ(z) Σ z^(2k+1)/(1·3·5…(2k+1)), outside by Laplace's continued fraction
 * (Abramowitz & Stegun 1964, 26.2.11 and 26.2.14).
 */
export function normalUpperTail(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z < 0) return 1 - normalUpperTail(-z);
  if (z < SERIES_LIMIT) {
    let term = z;
    let sum = z;
    for (let k = 1; Math.abs(term) > 1e-18 * sum; k++) {
      term *= (z * z) / (2 * k + 1);
      sum += term;
    }
    return 0.5 - normalDensity(z) * sum;
  }
  if (z === Number.POSITIVE_INFINITY) return 0;
  let fraction = z;
  for (let k = FRACTION_DEPTH; k >= 1; k--) fraction = z + k / fraction;
  return normalDensity(z) / fraction;
}

/** The z with P(Z > z) = `tail`, 0 < tail < 1: bisection to bracket, then Newton steps to full precision. */
export function normalUpperQuantile(tail: number): number {
  if (!(tail > 0 && tail < 1)) throw new RangeError(`a tail probability must lie between 0 and 1, not ${tail}`);
  let low = -40;
  let high = 40;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalUpperTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
