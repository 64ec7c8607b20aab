import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiplyVector } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { type RemlFit, remlEstimates, requireUsableTrait } from './fit-reml.ts';
import { TridiagonalLikelihood } from './tridiagonal-likelihood.ts';

/** Eigenvalues below this share of the largest are those of dependent columns. */
const DEPENDENT = 1e-12;

/**
 * REML estimates as those of `fitReml` for K = ZZᵀ with the intercept as only fixed effect, where Z has fewer columns
 * than individuals: from the eigenvectors of ZᵀZ, because all other eigenvalues of K are zero. O(nq² + q³).
 *
 * @param z n × q, every column with mean zero
 * @param y n values, none missing
 * @throws StatgenError `not-finite`, `constant-trait`
 */
export function fitFewColumns(z: Matrix, y: Float64Array): Omit<RemlFit, 'covariance'> {
  requireUsableTrait(y);
  const { rows: n, columns: q } = z;
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const centred = y.map((value) => value - mean);
  const products = createMatrix(q, q);
  addOuterProduct(products, z, 1, { transposeA: true });
  const { values, vectors } = symmetricEigenInPlace(products);
  const largest = values[q - 1] ?? 0;
  // Coordinates of the values along the left singular vectors Zu/√λ, then the length of what is left beside them.
  const along = multiplyVector(vectors, multiplyVector(z, centred, { transposeA: true }), { transposeA: true });
  const eigenvalues = new Float64Array(n - 1);
  const coordinates = new Float64Array(n - 1);
  let left = centred.reduce((sum, value) => sum + value * value, 0);
  let sum = 0;
  for (let k = 0; k < q; k++) {
    if (!(values[k] > DEPENDENT * largest)) continue;
    eigenvalues[k] = values[k];
    coordinates[k] = along[k] / Math.sqrt(values[k]);
    left -= coordinates[k] ** 2;
    sum += values[k];
  }
  coordinates[q] = Math.sqrt(Math.max(0, left));
  const likelihood = new TridiagonalLikelihood(eigenvalues, new Float64Array(n - 2), coordinates);
  const estimates = remlEstimates(likelihood, coordinates, sum / (n - 1));
  const { varianceGenetic, varianceResidual, delta, boundary } = estimates;
  if (boundary === 'genetic-zero') return { ...estimates, weights: centred.map((value) => value / varianceResidual) };
  // (K + δI)⁻¹ is 1/δ beside the singular vectors, and 1/(λ + δ) along them.
  const shares = new Float64Array(q);
  for (let k = 0; k < q; k++) {
    if (eigenvalues[k] > 0) shares[k] = (coordinates[k] * Math.sqrt(values[k])) / (values[k] + delta);
  }
  const fitted = multiplyVector(z, multiplyVector(vectors, shares));
  return {
    ...estimates,
    weights: Float64Array.from(centred, (value, i) => (value - fitted[i]) / (delta * varianceGenetic)),
  };
}
