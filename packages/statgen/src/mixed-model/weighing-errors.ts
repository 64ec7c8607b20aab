import { choleskyInverseInPlace } from '@heterosis/linalg/cholesky';
import { type ErrorCovariance, factorErrors } from './whitening.ts';

/**
 * Standard errors by which values weigh as if their errors were independent: 1/√(Ω⁻¹)ᵢᵢ, the error of each value
 * beside all others (Smith, Cullis & Gilmour 2001, Aust N Z J Stat 43:129). What all values share, such as the level of
 * a field, is known from the others and drops out, where the root of Ωᵢᵢ would hold it. O(n³); never above that root.
 *
 * @returns n standard errors
 * @throws StatgenError `errors-not-positive-definite`
 */
export function weighingErrors(omega: ErrorCovariance): Float64Array {
  const { n, lower, deviations } = factorErrors(omega);
  if (lower === null) return deviations ?? new Float64Array(n);
  const { data } = choleskyInverseInPlace({ lower });
  return Float64Array.from({ length: n }, (_, i) => 1 / Math.sqrt(data[i * (n + 1)]));
}
