/** t × t matrices in flat arrays, row by row; symmetric ones have both triangles. */
export type Flat = Float64Array;

/**
 * Inverse and log-determinant of a symmetric positive definite matrix.
 *
 * @param scratch t² values, overwritten
 * @param into t² values at `offset`
 * @returns log|A|, NaN where the matrix is not positive definite
 */
export function invertSmall(
  matrix: Flat,
  t: number,
  scratch: Flat,
  { into, offset }: { into: Flat; offset: number },
): number {
  // L of A = LLᵀ, then its inverse in place, then L⁻ᵀL⁻¹.
  let logDeterminant = 0;
  for (let j = 0; j < t; j++) {
    for (let i = j; i < t; i++) {
      let sum = matrix[i * t + j];
      for (let k = 0; k < j; k++) sum -= scratch[i * t + k] * scratch[j * t + k];
      if (i > j) {
        scratch[i * t + j] = sum / scratch[j * t + j];
        continue;
      }
      if (!(sum > 0)) return Number.NaN;
      logDeterminant += Math.log(sum);
      scratch[j * t + j] = Math.sqrt(sum);
    }
  }
  for (let j = 0; j < t; j++) {
    scratch[j * t + j] = 1 / scratch[j * t + j];
    for (let i = j + 1; i < t; i++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum -= scratch[i * t + k] * scratch[k * t + j];
      scratch[i * t + j] = sum / scratch[i * t + i];
    }
  }
  for (let i = 0; i < t; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = i; k < t; k++) sum += scratch[k * t + i] * scratch[k * t + j];
      into[offset + i * t + j] = sum;
      into[offset + j * t + i] = sum;
    }
  }
  return logDeterminant;
}

/** The lower Cholesky factor, zeros above; null where the matrix is not positive definite. */
export function factorSmall(matrix: Flat, t: number): Flat | null {
  const lower = new Float64Array(t * t);
  for (let j = 0; j < t; j++) {
    for (let i = j; i < t; i++) {
      let sum = matrix[i * t + j];
      for (let k = 0; k < j; k++) sum -= lower[i * t + k] * lower[j * t + k];
      if (i === j && !(sum > 0)) return null;
      lower[i * t + j] = i === j ? Math.sqrt(sum) : sum / lower[j * t + j];
    }
  }
  return lower;
}

/** The places (row, column) of the lower triangle, column by column: the order of parameters. */
export function lowerPlaces(t: number): [row: number, column: number][] {
  return Array.from({ length: t }, (_, column) =>
    Array.from({ length: t - column }, (__, k): [number, number] => [column + k, column]),
  ).flat();
}
