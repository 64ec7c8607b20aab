import type { GwasNull } from '../association/prepare-gwas.ts';
import { type Matrix, matrixOf, multiply } from '../linear-algebra.ts';

export interface NullVariances {
  additive: number;
  /** Of the error of an average value. */
  residual: number;
}

/** REML estimates of the first trait without marker; h² is 0.99 at most. */
export function varianceComponents({ contrastEigenvalues, traits: [{ rotated, remlH2 }] }: GwasNull): NullVariances {
  const variance = rotated.reduce(
    (sum, value, k) => sum + value ** 2 / (remlH2 * contrastEigenvalues[k] + 1 - remlH2),
    0,
  );
  const all = variance / rotated.length;
  return { additive: all * remlH2, residual: all * (1 - remlH2) };
}

/**
 * Error contrasts of values and markers over the root of their covariance σ²aK + σ²eR: what fixed effects leave of
 * them, with covariance I. O(n²c).
 *
 * @param model of the individuals; its basis has divided R out
 * @param columns n × c
 * @returns (n − fixed effects) × c
 */
export function decorrelate(model: GwasNull, { additive, residual }: NullVariances, columns: Matrix): Matrix {
  const { n, contrastEigenvalues, basis } = model;
  const contrasts = contrastEigenvalues.length;
  const rotated = multiply(matrixOf(n, contrasts, basis), columns, { transposeA: true });
  const scale = contrastEigenvalues.map((eigenvalue) => 1 / Math.sqrt(additive * Math.max(0, eigenvalue) + residual));
  for (let c = 0; c < rotated.columns; c++)
    for (let k = 0; k < contrasts; k++) rotated.data[k + c * contrasts] *= scale[k];
  return rotated;
}
