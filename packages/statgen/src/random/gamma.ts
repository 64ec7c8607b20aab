import type { RandomStream } from './random-stream.ts';

/** Up to here a χ² variable with a whole number of degrees of freedom is drawn as logarithms and a square. */
const FEW_DEGREES = 12;

/**
 * A gamma variable with scale 1 (Marsaglia & Tsang 2000, ACM TOMS 26:363; below a shape of 1 by their section 6).
 *
 * @throws RangeError unless `shape` is finite and > 0
 */
export function gammaDeviate(random: RandomStream, shape: number): number {
  if (!(shape > 0 && shape < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`a gamma variable needs a finite shape above 0, not ${shape}`);
  }
  if (shape < 1) return gammaDeviate(random, shape + 1) * (1 - random.uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = random.normal();
    const v = (1 + c * z) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - random.uniform()) < (z * z) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** A χ² variable. @throws RangeError unless `degrees` is finite and > 0 */
export function chiSquareDeviate(random: RandomStream, degrees: number): number {
  if (!(degrees <= FEW_DEGREES) || !Number.isInteger(degrees)) return 2 * gammaDeviate(random, degrees / 2);
  let product = 1;
  for (let k = 2; k <= degrees; k += 2) product *= 1 - random.uniform();
  const even = -2 * Math.log(product);
  return degrees % 2 === 0 ? even : even + random.normal() ** 2;
}

/** A beta variable. @throws RangeError unless both shapes are finite and > 0 */
export function betaDeviate(random: RandomStream, first: number, second: number): number {
  const a = gammaDeviate(random, first);
  return a / (a + gammaDeviate(random, second));
}
