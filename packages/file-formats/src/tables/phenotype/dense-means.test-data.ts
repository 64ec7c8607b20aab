/**
 * Least squares of y = line + cell + error from its definition, with dense matrices as arrays of rows: the yardstick of
 * the fast version. Estimability comes from the null space of the design matrix, not from a graph.
 */
export interface DenseMeans {
  /** The estimate of line i minus line j; null when the contrast is not estimable. */
  contrast(i: number, j: number): number | null;
  /**
   * The population marginal mean of a line over some cells with weights that add to 1; null when it is not estimable.
   */
  mean(line: number, weights: readonly number[]): number | null;
  /** Its standard error with the residual mean square; null without degrees of freedom. */
  standardError(line: number, weights: readonly number[]): number | null;
  errorSumOfSquares: number;
  errorDegrees: number;
}

/** @param rows observations as [line, cell, value] */
export function denseMeans(
  rows: readonly (readonly [number, number, number])[],
  lineCount: number,
  cellCount: number,
): DenseMeans {
  const size = lineCount + cellCount;
  const normal = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  const right = Array.from({ length: size }, () => 0);
  for (const [line, cell, value] of rows) {
    for (const row of [line, lineCount + cell]) {
      for (const column of [line, lineCount + cell]) normal[row][column] += 1;
      right[row] += value;
    }
  }
  const { inverse, rank } = generalizedInverse(normal);
  const solution = inverse.map((row) => row.reduce((sum, g, k) => sum + g * right[k], 0));
  let errorSumOfSquares = 0;
  for (const [line, cell, value] of rows)
    errorSumOfSquares += (value - solution[line] - solution[lineCount + cell]) ** 2;
  const errorDegrees = rows.length - rank;

  /** k′β is estimable exactly when k′(X′X)⁻(X′X) = k′ (Searle 1971, §5.4). */
  function isEstimable(k: readonly number[]): boolean {
    const kg = normal.map((_, column) => k.reduce((sum, value, row) => sum + value * inverse[row][column], 0));
    return k.every((value, column) => {
      const product = kg.reduce((sum, g, row) => sum + g * normal[row][column], 0);
      return Math.abs(product - value) < 1e-7;
    });
  }
  const estimate = (k: readonly number[]) =>
    isEstimable(k) ? k.reduce((sum, value, row) => sum + value * solution[row], 0) : null;
  const marginal = (line: number, weights: readonly number[]) => [
    ...Array.from({ length: lineCount }, (_, other) => Number(other === line)),
    ...weights,
  ];
  return {
    contrast: (i, j) => estimate(Array.from({ length: size }, (_, row) => Number(row === i) - Number(row === j))),
    mean: (line, weights) => estimate(marginal(line, weights)),
    standardError: (line, weights) => {
      const k = marginal(line, weights);
      if (errorDegrees < 1 || !isEstimable(k)) return null;
      const variance = k.reduce(
        (sum, a, row) => sum + a * k.reduce((inner, b, column) => inner + b * inverse[row][column], 0),
        0,
      );
      return Math.sqrt((variance * errorSumOfSquares) / errorDegrees);
    },
    errorSumOfSquares,
    errorDegrees,
  };
}

/** A symmetric generalized inverse by sweeping, largest diagonal first; rows without a pivot stay zero. */
function generalizedInverse(matrix: readonly (readonly number[])[]): { inverse: number[][]; rank: number } {
  const a = matrix.map((row) => [...row]);
  const swept = new Set<number>();
  for (;;) {
    let pivot = -1;
    for (let row = 0; row < a.length; row++) {
      if (!swept.has(row) && a[row][row] > 1e-9 && (pivot < 0 || a[row][row] > a[pivot][pivot])) pivot = row;
    }
    if (pivot < 0) break;
    swept.add(pivot);
    const d = a[pivot][pivot];
    const row = a[pivot].map((value) => value / d);
    for (let i = 0; i < a.length; i++) {
      if (i === pivot) continue;
      const factor = a[i][pivot];
      for (let j = 0; j < a.length; j++) a[i][j] -= factor * row[j];
      a[i][pivot] = -factor / d;
    }
    a[pivot] = row;
    a[pivot][pivot] = 1 / d;
  }
  const isIn = (row: number, column: number) => swept.has(row) && swept.has(column);
  return { inverse: a.map((row, i) => row.map((value, j) => (isIn(i, j) ? value : 0))), rank: swept.size };
}
