// The normal distribution by integration.

/** Beyond this φ is 0 for what follows. */
const FAR = 12;
const STEPS = 4000;

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Simpson's rule. */
function integral(f: (z: number) => number, low: number, high: number): number {
  const step = (high - low) / STEPS;
  let sum = f(low) + f(high);
  for (let k = 1; k < STEPS; k++) sum += (k % 2 === 1 ? 4 : 2) * f(low + k * step);
  return (sum * step) / 3;
}

/** P(Z > z). */
export function upperTail(z: number): number {
  return z < 0 ? 1 - upperTail(-z) : integral(density, z, z + FAR);
}

/** Mean of the best fraction of a normal population. */
export function intensityOf(fraction: number): number {
  if (fraction === 1) return 0;
  let [low, high] = [-FAR, FAR];
  for (let step = 0; step < 60; step++) {
    const middle = 0.5 * (low + high);
    if (upperTail(middle) > fraction) low = middle;
    else high = middle;
  }
  return integral((z) => z * density(z), low, FAR) / fraction;
}

/** Mean of the largest of n: the integral of 1 − Φⁿ above 0 less that of Φⁿ below. */
export function meanOfLargest(n: number): number {
  const step = (2 * FAR) / STEPS;
  // Φ at the ends of all steps, each added to the one before.
  const below = [0];
  for (let k = 1; k <= STEPS; k++) {
    const z = -FAR + (k - 1) * step;
    below.push(below[k - 1] + (step / 6) * (density(z) + 4 * density(z + step / 2) + density(z + step)));
  }
  return below.reduce((sum, value, k) => {
    const weight = k === 0 || k === STEPS ? 1 : k % 2 === 1 ? 4 : 2;
    // At 0 itself both parts end.
    const isBelow = k < STEPS / 2 ? 1 : k === STEPS / 2 ? 0.5 : 0;
    return sum + ((weight * step) / 3) * (1 - isBelow - value ** n);
  }, 0);
}
