import { choleskyInPlace, choleskySolveInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiplyVector } from '@heterosis/linalg/products';
import type { RandomStream } from '../random/random-stream.ts';

/** RR-BLUP y = 1μ + Zu + e of one trait with its records: from it effects are drawn that agree with them. */
export interface EffectPosterior {
  /** n × m dosages of the individuals with a record. */
  dosages: Matrix;
  varianceEffect: number;
  varianceResidual: number;
  /** Of V = σ²u ZZ' + σ²e I, by its lower triangle. */
  factor: Matrix;
  /** û, and what the value of dosage 0 everywhere is expected to be. */
  effects: Float64Array;
  intercept: number;
}

/** @param y one record for each row of the dosages */
export function effectPosterior(
  dosages: Matrix,
  y: Float64Array,
  { varianceEffect, varianceResidual }: { varianceEffect: number; varianceResidual: number },
): EffectPosterior {
  const n = dosages.rows;
  const factor = createMatrix(n, n);
  addOuterProduct(factor, dosages, varianceEffect);
  for (let i = 0; i < n; i++) factor.data[i * (n + 1)] += varianceResidual;
  choleskyInPlace(factor);
  return { dosages, varianceEffect, varianceResidual, factor, ...fitted({ dosages, varianceEffect, factor }, y) };
}

/**
 * Effects and intercept from their posterior given variances: u = û + u₀ − û₀ for u₀ and y₀ drawn from the prior, and
 * û₀ fitted to y₀ (conditioning by kriging; Matheron, in Journel & Huijbregts 1978). The intercept has a flat prior.
 * O(nm + n²).
 */
export function drawEffects(
  posterior: EffectPosterior,
  random: RandomStream,
): { effects: Float64Array; intercept: number } {
  const { dosages, varianceEffect, varianceResidual } = posterior;
  const prior = Float64Array.from({ length: dosages.columns }, () => Math.sqrt(varianceEffect) * random.normal());
  const y = multiplyVector(dosages, prior);
  for (let i = 0; i < y.length; i++) y[i] += Math.sqrt(varianceResidual) * random.normal();
  const refitted = fitted(posterior, y);
  return {
    effects: prior.map((effect, j) => posterior.effects[j] + effect - refitted.effects[j]),
    intercept: posterior.intercept - refitted.intercept,
  };
}

/** û = σ²u Z'Py and the generalised least squares estimate of the intercept. */
function fitted(
  { dosages, varianceEffect, factor }: Pick<EffectPosterior, 'dosages' | 'varianceEffect' | 'factor'>,
  y: Float64Array,
): { effects: Float64Array; intercept: number } {
  const n = y.length;
  const solved = new Float64Array(2 * n).fill(1);
  solved.set(y);
  choleskySolveInPlace({ lower: factor }, matrixOf(n, 2, solved));
  let ofOnes = 0;
  let ofValues = 0;
  for (let i = 0; i < n; i++) {
    ofValues += solved[i];
    ofOnes += solved[n + i];
  }
  const intercept = ofValues / ofOnes;
  const weights = Float64Array.from({ length: n }, (_, i) => varianceEffect * (solved[i] - intercept * solved[n + i]));
  return { effects: multiplyVector(dosages, weights, { transposeA: true }), intercept };
}
