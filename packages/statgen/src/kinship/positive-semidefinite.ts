import { type Matrix, matrixOf, requireSquare } from '@heterosis/linalg/matrix';
import { symmetricEigenvaluesInPlace } from '@heterosis/linalg/symmetric-eigen';
import { StatgenError } from '../statgen-error.ts';

/** A negative eigenvalue up to this share of the largest is rounding: a file with four digits is no more accurate. */
const ROUNDING_SHARE = 1e-4;

/**
 * Makes an externally computed kinship usable as a covariance: its smallest eigenvalue must not be negative. Where
 * rounding made it negative, its magnitude is added to the diagonal. This moves that share of the variance from σ²g to
 * σ²e and changes no test. O(n³), eigenvalues only.
 *
 * @param kinship n × n, symmetric; its diagonal may change
 * @returns the amount added to the diagonal, or 0
 * @throws StatgenError `not-positive-semidefinite` (details: `smallest`, `largest`), `shape-mismatch`; LinalgError
 * `not-finite`
 */
export function requirePositiveSemidefinite(kinship: Matrix): number {
  const n = requireSquare(kinship, 'a kinship matrix');
  if (n === 0) return 0;
  const values = symmetricEigenvaluesInPlace(matrixOf(n, n, kinship.data.slice(0, n * n)));
  const smallest = values[0];
  const largest = values[n - 1];
  if (!(largest > 0 && smallest >= -ROUNDING_SHARE * largest)) {
    throw new StatgenError(
      'not-positive-semidefinite',
      `the kinship is no covariance: its eigenvalues go from ${smallest.toPrecision(3)} to ${largest.toPrecision(3)}`,
      { smallest, largest },
    );
  }
  // Full-precision matrices also have eigenvalues of −1e−16: those need no correction.
  if (smallest >= -1e-10 * largest) return 0;
  for (let i = 0; i < n; i++) kinship.data[i * (n + 1)] -= smallest;
  return -smallest;
}
