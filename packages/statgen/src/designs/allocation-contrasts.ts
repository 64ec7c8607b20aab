import { plainPotrf, plainPotri } from '@heterosis/linalg/plain/plain-cholesky';

/** Added to the diagonal of a relationship with mean 1 before it is inverted: markers may leave it singular. */
const KINSHIP_RIDGE = 1e-4;
/** Lines beyond which prediction error variances are not computed. */
const MOST_LINES = 2000;

/**
 * ratio · K⁻¹, what the covariance of the lines adds to their information in units of the residual variance.
 *
 * @param kinship n × n, mean diagonal 1
 */
export function kinshipPrior(kinship: Float64Array, ratio: number): Float64Array {
  const n = Math.sqrt(kinship.length);
  const matrix = kinship.slice();
  for (let i = 0; i < n; i++) matrix[i * (n + 1)] += KINSHIP_RIDGE;
  if (plainPotrf(n, matrix, n) !== 0) throw new RangeError('the kinship of a design is not positive definite');
  plainPotri(n, matrix, n);
  for (let j = 0; j < n; j++) for (let i = j + 1; i < n; i++) matrix[j + i * n] = matrix[i + j * n];
  return matrix.map((value) => ratio * value);
}

/** c′Kc for the contrast c of each line with the mean of all, n. */
export const priorVariances = (kinship: Float64Array): Float64Array => centredDiagonal(kinship);

/**
 * Prediction error variance of each line as a contrast with the mean of all, relative to the variance of lines:
 * ratio · c′(Z′MZ + ratio·K⁻¹)⁻¹c with M adjusting for places (Laloë 1993; Rincent et al. 2012, equation 3).
 *
 * @param kinship n × n with mean diagonal 1, null for unrelated lines
 * @returns n values; null for more than 2,000 lines
 */
export function contrastVariances({
  lineOf,
  placeOf,
  lines,
  kinship,
  varianceRatio,
}: {
  lineOf: Int32Array;
  placeOf: Int32Array;
  lines: number;
  kinship: Float64Array | null;
  varianceRatio: number;
}): Float64Array | null {
  if (lines > MOST_LINES) return null;
  const matrix = kinship === null ? new Float64Array(lines * lines) : kinshipPrior(kinship, varianceRatio);
  if (kinship === null) for (let i = 0; i < lines; i++) matrix[i * (lines + 1)] = varianceRatio;
  const members = Map.groupBy(lineOf.keys(), (plot) => placeOf[plot]);
  for (const plots of members.values()) {
    for (const a of plots) {
      matrix[lineOf[a] * (lines + 1)] += 1;
      for (const b of plots) matrix[lineOf[a] + lineOf[b] * lines] -= 1 / plots.length;
    }
  }
  plainPotrf(lines, matrix, lines);
  plainPotri(lines, matrix, lines);
  for (let j = 0; j < lines; j++) for (let i = j + 1; i < lines; i++) matrix[j + i * lines] = matrix[i + j * lines];
  return centredDiagonal(matrix).map((value) => varianceRatio * value);
}

/** Diagonal of HAH with H = I − 11′/n. */
function centredDiagonal(matrix: Float64Array): Float64Array {
  const n = Math.sqrt(matrix.length);
  const means = new Float64Array(n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) means[j] += matrix[i + j * n] / n;
  const mean = means.reduce((sum, value) => sum + value, 0) / n;
  return means.map((value, i) => matrix[i * (n + 1)] - 2 * value + mean);
}
