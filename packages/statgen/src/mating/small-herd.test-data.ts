import { createRandomStream } from '../random/random-stream.ts';
import type { ContributionProblem } from './contribution-frontier.ts';

/** Inbred lines from crosses of founders, with values of many loci: relationship by VanRaden's first method. */
export interface Herd {
  value: Float64Array;
  relationship: Float64Array;
}

/** A herd of n lines with m loci; the same seed gives the same herd. */
export function makeHerd(n: number, seed: number, m = 120): Herd {
  const random = createRandomStream(seed);
  const founders = Array.from({ length: Math.max(2, Math.ceil(n / 8)) }, () =>
    Float64Array.from({ length: m }, () => 2 * random.nextInt(2)),
  );
  const lines = Array.from({ length: n }, () => {
    const [one, other] = [random.nextInt(founders.length), random.nextInt(founders.length)];
    return Float64Array.from({ length: m }, (_, j) => founders[random.nextInt(2) === 0 ? one : other][j]);
  });
  const frequency = Float64Array.from({ length: m }, (_, j) => lines.reduce((sum, line) => sum + line[j], 0) / (2 * n));
  const divisor = frequency.reduce((sum, p) => sum + 2 * p * (1 - p), 0);
  const relationship = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++)
      relationship[i * n + k] =
        frequency.reduce((sum, p, j) => sum + (lines[i][j] - 2 * p) * (lines[k][j] - 2 * p), 0) / divisor;
  const effects = Float64Array.from({ length: m }, () => random.normal());
  const value = Float64Array.from(lines, (line) => line.reduce((sum, dosage, j) => sum + dosage * effects[j], 0));
  return { value, relationship };
}

/** Contributions of a herd between 0 and a common most. */
export function contributionsOf(herd: Herd, most: number): ContributionProblem {
  const n = herd.value.length;
  return { ...herd, lower: new Float64Array(n), upper: new Float64Array(n).fill(most) };
}

/** Half of x'Ax, by its definition. */
export function plainCoancestry(relationship: Float64Array, x: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < x.length; j++) sum += 0.5 * x[i] * x[j] * relationship[i * x.length + j];
  return sum;
}
