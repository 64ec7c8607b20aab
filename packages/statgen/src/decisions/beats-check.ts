import { normalUpperTail } from '../crossing/normal-distribution.ts';
import { type EstimatedProbability, orthantProbability } from './normal-orthant.ts';

/** What is predicted of a line and of the check, and how surely. All in the units of the T traits. */
export interface PredictedPair {
  /** BLUPs of the line, length T. */
  line: Float64Array;
  check: Float64Array;
  /** Prediction error variances (PEV), length T. */
  linePev: Float64Array;
  checkPev: Float64Array;
  /** Covariance of the two prediction errors; absent: unknown, counted as 0. */
  covariance?: Float64Array | undefined;
  /** Correlation of the errors of the traits, T × T by rows; absent: unknown, counted as 0. */
  errorCorrelation?: Float64Array | undefined;
}

/**
 * Variance of the error of a difference of two BLUPs: PEV₁ + PEV₂ − 2·cov. Errors of lines of one analysis mostly vary
 * together, because all share the errors of the trials; then a covariance counted as 0 puts the probability nearer to ½
 * than it is. Never below 0.
 */
export const differenceVariance = (pevOfLine: number, pevOfCheck: number, covariance = 0): number =>
  Math.max(0, pevOfLine + pevOfCheck - 2 * covariance);

/** P(difference > 0) of a normal difference; ½ for a difference of 0 that is known exactly. NaN for unknown values. */
function probabilityAbove(difference: number, variance: number): number {
  if (Number.isNaN(difference) || Number.isNaN(variance)) return Number.NaN;
  if (variance > 0) return normalUpperTail(-difference / Math.sqrt(variance));
  return difference === 0 ? 0.5 : Number(difference > 0);
}

/** P(the line beats the check in one trait), exact. @param direction 1 where high values are better, otherwise −1 */
export const beatsInTrait = (pair: PredictedPair, trait: number, direction: 1 | -1): number =>
  probabilityAbove(
    direction * (pair.line[trait] - pair.check[trait]),
    differenceVariance(pair.linePev[trait], pair.checkPev[trait], pair.covariance?.[trait]),
  );

/**
 * P(the line beats the check on the index b'g), exact: the index is normal with the variance b'Vb, V the covariance of
 * the errors of the differences.
 *
 * @param weights b, length T, with the sign of the direction
 */
export function beatsOnIndex(pair: PredictedPair, weights: Float64Array): number {
  const errors = errorsOf(pair);
  const size = weights.length;
  let difference = 0;
  let variance = 0;
  for (let t = 0; t < size; t++) {
    if (weights[t] === 0) continue;
    difference += weights[t] * (pair.line[t] - pair.check[t]);
    for (let s = 0; s < size; s++) if (weights[s] !== 0) variance += weights[t] * weights[s] * errors[t * size + s];
  }
  return probabilityAbove(difference, variance);
}

/**
 * P(the line beats the check in each of the chosen traits at once). Exact for one trait, and for several whose errors
 * are uncorrelated; otherwise by quasi-Monte Carlo with its error.
 *
 * @param directions length T: 1 where high values are better, −1 where low ones are, 0 for a trait that does not count
 */
export function beatsInEveryTrait(pair: PredictedPair, directions: Int8Array, seed: number): EstimatedProbability {
  const traits = Array.from(directions.keys()).filter((t) => directions[t] !== 0);
  const known = traits.every((t) => Number.isFinite(pair.line[t] - pair.check[t]));
  if (!known || traits.length === 0) return { probability: Number.NaN, error: 0 };
  if (pair.errorCorrelation === undefined) {
    const product = traits.reduce((p, t) => p * beatsInTrait(pair, t, directions[t] > 0 ? 1 : -1), 1);
    return { probability: product, error: 0 };
  }
  const errors = errorsOf(pair);
  const size = directions.length;
  return orthantProbability(
    Float64Array.from(traits, (t) => directions[t] * (pair.line[t] - pair.check[t])),
    Float64Array.from(traits.flatMap((t) => traits.map((s) => directions[t] * directions[s] * errors[t * size + s]))),
    seed,
  );
}

/** Covariance of the errors of the differences, T × T by rows. */
function errorsOf({ line, linePev, checkPev, covariance, errorCorrelation }: PredictedPair): Float64Array {
  const size = line.length;
  const sds = line.map((_, t) => Math.sqrt(differenceVariance(linePev[t], checkPev[t], covariance?.[t])));
  const errors = new Float64Array(size * size);
  for (let t = 0; t < size; t++)
    for (let s = 0; s < size; s++)
      errors[t * size + s] = s === t ? sds[t] ** 2 : (errorCorrelation?.[t * size + s] ?? 0) * sds[t] * sds[s];
  return errors;
}
