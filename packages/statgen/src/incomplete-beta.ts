/** The regularized incomplete beta function I_x(a, b), by its continued fraction (Lentz; Press et al. 2007, §6.4). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logFront(x, a, b));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/**
 * −log₁₀ of the upper tail of F, I_x(df2/2, df1/2) with x = df2/(df2 + df1·F); finite for every finite F, 0 for F ≤ 0,
 * NaN for NaN.
 */
export function fTailNegLog10(f: number, df1: number, df2: number): number {
  if (!(f > 0)) return Number.isNaN(f) ? Number.NaN : 0;
  const x = df2 / (df2 + df1 * f);
  const [a, b] = [0.5 * df2, 0.5 * df1];
  // In the tail the logarithm is taken of its factors, of which the smallest may be below the smallest double.
  const log =
    x < (a + 1) / (a + b + 2) ? logFront(x, a, b) + Math.log(fraction(x, a, b) / a) : Math.log(incompleteBeta(x, a, b));
  return Math.max(0, -log / Math.LN10);
}

const logFront = (x: number, a: number, b: number): number =>
  logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);

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
