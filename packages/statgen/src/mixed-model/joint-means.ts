import { choleskyInPlace, choleskyInverseInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { type ErrorCovariance, factorErrors, whitenIdentity } from './whitening.ts';

/** Means of lines in one environment. */
export interface EnvironmentValues {
  /** Line of each value among all lines; each line once. */
  lines: Int32Array;
  y: Float64Array;
  errors: ErrorCovariance;
}

/**
 * One mean a line over environments, by generalised least squares of y = line + environment + e, e ~ N(0, Ω) known,
 * with the covariance of these means. In a model whose lines have fixed or random effects beside fixed effects of
 * environments they hold all that the values say of the lines (Piepho et al. 2012, Biom J 54:844). A mean holds for the
 * average of the environments with equal weights. O(Σn³ + (lines + environments)³).
 *
 * @param count lines, each with a value somewhere; environments linked by lines
 * @returns `count` means, and their covariance, both triangles
 * @throws StatgenError `errors-not-positive-definite`; LinalgError `not-positive-definite` where environments are not
 * linked
 */
export function jointMeans(
  environments: readonly EnvironmentValues[],
  count: number,
): { means: Float64Array; covariance: Matrix } {
  const size = count + environments.length - 1;
  const normal = createMatrix(size, size);
  const right = new Float64Array(size);
  for (const [j, { lines, y, errors }] of environments.entries()) {
    const inverse = inverseOf(errors);
    const n = lines.length;
    const solved = multiplyVector(inverse, y);
    const sums = multiplyVector(inverse, new Float64Array(n).fill(1));
    // The effects of environments sum to 0: the last is minus all others.
    const code = environmentCode(j, environments.length);
    for (let b = 0; b < n; b++) {
      right[lines[b]] += solved[b];
      for (let a = 0; a < n; a++) normal.data[lines[a] + lines[b] * size] += inverse.data[a + b * n];
      for (const [k, value] of code) {
        normal.data[lines[b] + (count + k) * size] += value * sums[b];
        normal.data[count + k + lines[b] * size] += value * sums[b];
      }
    }
    const [whole, weighted] = [sums, solved].map((values) => values.reduce((sum, value) => sum + value, 0));
    for (const [k, value] of code) {
      right[count + k] += value * weighted;
      for (const [l, other] of code) normal.data[count + k + (count + l) * size] += value * other * whole;
    }
  }
  const inverse = choleskyInverseInPlace(choleskyInPlace(normal));
  const covariance = createMatrix(count, count);
  for (let b = 0; b < count; b++) covariance.data.set(inverse.data.subarray(b * size, b * size + count), b * count);
  return { means: multiplyVector(inverse, right).subarray(0, count), covariance };
}

function environmentCode(j: number, environments: number): [number, number][] {
  if (j < environments - 1) return [[j, 1]];
  return Array.from({ length: environments - 1 }, (_, k) => [k, -1]);
}

function inverseOf(errors: ErrorCovariance): Matrix {
  const factor = factorErrors(errors);
  if (factor.lower !== null) return choleskyInverseInPlace({ lower: factor.lower });
  return whitenIdentity(factor);
}
