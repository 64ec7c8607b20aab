/** Below this argument use the series of erf, above it the continued fraction of erfc. */
const SERIES_LIMIT = 2;
const SQRT_PI = Math.sqrt(Math.PI);

/**
 * Upper tail of χ² with 1 degree of freedom, erfc(√(x/2)), to full relative accuracy at any size. A tail below the
 * smallest double is returned as that double (5e−324), not 0; `chiSquareNegLog10P` returns its logarithm. NaN gives
 * NaN, x ≤ 0 gives 1.
 */
export function chiSquareP(x: number): number {
  if (!(x > 0)) return Number.isNaN(x) ? Number.NaN : 1;
  const z = Math.sqrt(0.5 * x);
  const p = z < SERIES_LIMIT ? 1 - erfSeries(z) : Math.exp(-z * z) * scaledErfc(z);
  return Math.max(p, Number.MIN_VALUE);
}

/** −log₁₀ of the upper tail of χ² with `df` degrees of freedom, a few; finite for every finite x. */
export function chiSquareNegLog10P(x: number, df = 1): number {
  if (!(x > 0)) return Number.isNaN(x) ? Number.NaN : 0;
  if (df > 1) return Math.max(0, (0.5 * x - Math.log(scaledTail(x, df))) / Math.LN10);
  const z = Math.sqrt(0.5 * x);
  const negLog = z < SERIES_LIMIT ? -Math.log(1 - erfSeries(z)) : z * z - Math.log(scaledErfc(z));
  return negLog / Math.LN10;
}

/** Above this p, taking its logarithm is accurate enough and saves the series. */
const SMALL_P = 0.01;

/**
 * −log₁₀ p of a statistic whose tail `p` is known: from p itself where that is exact, otherwise as {@link
 * chiSquareNegLog10P}.
 */
export function negLog10OfP(x: number, p: number): number {
  return p > SMALL_P ? -Math.log(p) / Math.LN10 : chiSquareNegLog10P(x);
}

/**
 * x whose upper tail of χ² with 1 degree of freedom has this −log₁₀ p, so that tests with several degrees of freedom
 * rank and inflate (λ) as tests with one.
 */
export function chiSquareOfNegLog10P(negLog10P: number): number {
  if (!(negLog10P > 0)) return Number.isNaN(negLog10P) ? Number.NaN : 0;
  const wanted = negLog10P * Math.LN10;
  // −log p is convex in z and at least z²/2: Newton's steps from there fall onto the root and do not pass it.
  let z = Math.sqrt(2 * wanted);
  for (let step = 0; step < MOST_STEPS; step++) {
    const scaled = scaledTail(z * z, 1);
    const change = ((0.5 * z * z - Math.log(scaled) - wanted) * scaled) / Math.sqrt(2 / Math.PI);
    z -= change;
    if (!(change > 1e-15 * z)) break;
  }
  return z * z;
}

/** Newton's steps; six do. */
const MOST_STEPS = 50;

/** e^(x/2) times the upper tail, a sum of positive terms (Abramowitz & Stegun 1964, 26.4.4 and 26.4.5). */
function scaledTail(x: number, df: number): number {
  const half = 0.5 * x;
  const isOdd = df % 2 === 1;
  const z = Math.sqrt(half);
  let sum = isOdd ? (z < SERIES_LIMIT ? Math.exp(half) * (1 - erfSeries(z)) : scaledErfc(z)) : 1;
  let term = isOdd ? z / (0.5 * SQRT_PI) : half;
  for (let j = 1; j <= (isOdd ? 0.5 * (df - 1) : 0.5 * df - 1); j++) {
    sum += term;
    term *= half / (isOdd ? j + 0.5 : j + 1);
  }
  return sum;
}

/** erf(z) = 2/√π·e^(−z²)·Σ 2ᵏz^(2k+1)/(2k+1)!!, all terms positive (Abramowitz & Stegun 1964, 7.1.6). */
function erfSeries(z: number): number {
  const twice = 2 * z * z;
  let term = z;
  let sum = z;
  for (let k = 1; term > 1e-17 * sum; k++) {
    term *= twice / (2 * k + 1);
    sum += term;
  }
  return (2 / SQRT_PI) * Math.exp(-z * z) * sum;
}

/** Number of terms in the backward evaluation of the continued fraction: full accuracy from z = 2. */
const FRACTION_TERMS = 80;

/** e^(z²)·erfc(z) by its continued fraction (Abramowitz & Stegun 1964, 7.1.14), z ≥ 2. */
function scaledErfc(z: number): number {
  let fraction = z;
  const terms = Math.ceil(FRACTION_TERMS / Math.min(z * z * 0.25, FRACTION_TERMS / 8));
  for (let k = terms; k > 0; k--) fraction = z + (0.5 * k) / fraction;
  return 1 / (SQRT_PI * fraction);
}
