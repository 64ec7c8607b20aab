import { normalDensity, normalUpperQuantile, normalUpperTail } from './normal-distribution.ts';

/** Whether breeders want high or low values of a trait. */
export type Direction = 'high' | 'low';

/**
 * Standardised selection differential i = φ(z)/α of the best fraction α of a normal population, z = Φ⁻¹(1−α).
 * 0.05 gives 2.0627. Throws RangeError unless 0 < fraction ≤ 1.
 */
export function selectionIntensity(fraction: number): number {
  if (fraction === 1) return 0;
  return normalDensity(normalUpperQuantile(fraction)) / fraction;
}

/**
 * Usefulness of a cross, µ + i·h·σ, or µ − i·h·σ when low values are wanted (Schnell & Utz 1975).
 *
 * @param accuracy h, 0..1: the square root of the heritability for phenotypic selection, 1 for selection on the value
 * itself
 */
export function usefulness(
  mean: number,
  sd: number,
  selection: { fraction: number; accuracy: number; direction: Direction },
): number {
  const gain = selectionIntensity(selection.fraction) * selection.accuracy * sd;
  return selection.direction === 'high' ? mean + gain : mean - gain;
}

/**
 * P(progeny beats the best parent) = 1 − Φ((best − µ)/σ) for normal genetic values; for `low`, P(below the lowest
 * parent). With σ = 0 it is 1 when the mean is strictly better than all parents, otherwise 0.
 */
export function transgressionProbability(
  mean: number,
  sd: number,
  parents: readonly number[],
  direction: Direction = 'high',
): number {
  const sign = direction === 'high' ? 1 : -1;
  const lead = sign * mean - Math.max(...parents.map((value) => sign * value));
  if (sd === 0) return lead > 0 ? 1 : 0;
  return normalUpperTail(-lead / sd);
}

/**
 * Integration range and step of {@link expectedMaximum}; the trapezoid rule converges exponentially on such
 * densities.
 */
const MAXIMUM_RANGE = 12;
const MAXIMUM_STEP = 1 / 256;

/**
 * Expected maximum of n independent standard normal values, ∫ z n φ(z) Φ(z)^(n−1) dz: 1.5388 for 10, 2.5076 for 100.
 * The expected best of n progeny is µ + σ · expectedMaximum(n). Throws RangeError for n < 1.
 */
export function expectedMaximum(n: number): number {
  if (!(n >= 1)) throw new RangeError(`the number of progeny must be at least 1, not ${n}`);
  let sum = 0;
  for (let z = -MAXIMUM_RANGE; z <= MAXIMUM_RANGE; z += MAXIMUM_STEP) {
    // Each form of log Φ(z) is accurate on one side only.
    const logBelow = z < 0 ? Math.log(normalUpperTail(-z)) : Math.log1p(-normalUpperTail(z));
    sum += z * n * normalDensity(z) * Math.exp((n - 1) * logBelow);
  }
  return sum * MAXIMUM_STEP;
}
