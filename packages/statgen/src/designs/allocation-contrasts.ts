import { plainPotrf, plainPotri } from '@heterosis/linalg/plain/plain-cholesky';
import { type PlaceModel, standardized } from './place-model.ts';

/** Added to the diagonal of a relationship with mean 1 before it is inverted: markers may leave it singular. */
const KINSHIP_RIDGE = 1e-4;
/** Lines × factors beyond which prediction error variances are not computed. */
export const MOST_EFFECTS = 2000;

/** Which lines stand at which places, and what is known of both. */
export interface AllocatedLines {
  /** By plot. */
  lineOf: Int32Array;
  placeOf: Int32Array;
  lines: number;
  /** n × n with mean diagonal 1, null for unrelated lines. */
  kinship: Float64Array | null;
  model: PlaceModel;
}

/** K⁻¹, n × n. */
function kinshipPrior(kinship: Float64Array): Float64Array {
  const n = Math.sqrt(kinship.length);
  const matrix = kinship.slice();
  for (let i = 0; i < n; i++) matrix[i * (n + 1)] += KINSHIP_RIDGE;
  if (plainPotrf(n, matrix, n) !== 0) throw new RangeError('the kinship of a design is not positive definite');
  plainPotri(n, matrix, n);
  return mirrored(matrix, n);
}

/** I_k ⊗ K⁻¹ in the upper left corner of a matrix of zeros of this order. */
export function factorPrior(kinship: Float64Array | null, lines: number, factors: number, order: number): Float64Array {
  const matrix = new Float64Array(order * order);
  const prior = kinship === null ? null : kinshipPrior(kinship);
  for (let f = 0; f < factors; f++) {
    const first = f * lines;
    for (let j = 0; j < lines; j++) {
      const column = (first + j) * order + first;
      if (prior === null) matrix[column + j] = 1;
      else for (let i = 0; i < lines; i++) matrix[column + i] = prior[i + j * lines];
    }
  }
  return matrix;
}

/** c′Kc for the contrast c of each line with the mean of all, n. */
export const priorVariances = (kinship: Float64Array | null, lines: number): Float64Array =>
  kinship === null ? new Float64Array(lines).fill(1 - 1 / lines) : centredDiagonal(kinship, lines, lines);

/**
 * Prediction error variance of each line in its mean over the places, as a contrast with the mean of all lines,
 * relative to the variance of lines (Laloë 1993; Rincent et al. 2012, equation 3, on the model of the places): the
 * inverse of I ⊗ K⁻¹ + Σ (λλ′/r) ⊗ Z′MZ over places, with M adjusting for the place.
 *
 * @returns n values; null for more than 2,000 effects of lines
 */
export function contrastVariances({ lineOf, placeOf, lines, kinship, model }: AllocatedLines): Float64Array | null {
  const { loadings, residual } = standardized(model);
  const factors = loadings[0]?.length ?? 1;
  const order = lines * factors;
  if (order > MOST_EFFECTS) return null;
  const matrix = factorPrior(kinship, lines, factors, order);
  const members = Map.groupBy(lineOf.keys(), (plot) => placeOf[plot]);
  for (const [place, plots] of members) {
    const own = loadings[place] ?? [];
    for (const [f, one] of own.entries()) {
      for (const [g, other] of own.entries()) {
        const weight = (one * other) / (residual[place] ?? 1);
        for (const a of plots) {
          const column = (f * lines + lineOf[a]) * order + g * lines;
          matrix[column + lineOf[a]] += weight;
          for (const b of plots) matrix[column + lineOf[b]] -= weight / plots.length;
        }
      }
    }
  }
  if (plainPotrf(order, matrix, order) !== 0) throw new RangeError('the equations of an allocation are singular');
  plainPotri(order, matrix, order);
  return centredDiagonal(mirrored(matrix, order), lines, order);
}

/** The lower triangle copied into the upper one. */
export function mirrored(matrix: Float64Array, order: number): Float64Array {
  for (let j = 0; j < order; j++) for (let i = j + 1; i < order; i++) matrix[j + i * order] = matrix[i + j * order];
  return matrix;
}

/** Diagonal of HAH with H = I − 11′/n, for the first n of the order of a matrix. */
function centredDiagonal(matrix: Float64Array, n: number, order: number): Float64Array {
  const means = new Float64Array(n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) means[j] += matrix[i + j * order] / n;
  const mean = means.reduce((sum, value) => sum + value, 0) / n;
  return means.map((value, i) => matrix[i * (order + 1)] - 2 * value + mean);
}
