/** Restricted log-likelihood from the whole of V and X, by Gaussian elimination: the plain version, O(n³). */
export function plainReml(y: readonly number[], x: number[][], v: number[][]): number {
  const n = y.length;
  const p = x[0].length;
  const { solution, logDeterminant } = solve(
    v,
    y.map((value, i) => [value, ...x[i]]),
  );
  const information = Array.from({ length: p }, (_, a) =>
    Array.from({ length: p }, (_unused, b) => x.reduce((sum, row, i) => sum + row[a] * solution[i][b + 1], 0)),
  );
  const right = Array.from({ length: p }, (_, a) => x.reduce((sum, row, i) => sum + row[a] * solution[i][0], 0));
  const effects = solve(
    information,
    right.map((value) => [value]),
  );
  const whole = y.reduce((sum, value, i) => sum + value * solution[i][0], 0);
  const explained = right.reduce((sum, value, a) => sum + value * effects.solution[a][0], 0);
  return -0.5 * ((n - p) * Math.log(2 * Math.PI) + logDeterminant + effects.logDeterminant + whole - explained);
}

function solve(matrix: number[][], right: number[][]): { solution: number[][]; logDeterminant: number } {
  const rows = matrix.map((row, i) => [...row, ...right[i]]);
  const n = matrix.length;
  let logDeterminant = 0;
  for (let k = 0; k < n; k++) {
    logDeterminant += Math.log(rows[k][k]);
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      if (factor === 0) continue;
      for (let j = k; j < rows[i].length; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = n; j < rows[k].length; j++) {
      for (let i = k + 1; i < n; i++) rows[k][j] -= rows[k][i] * rows[i][j];
      rows[k][j] /= rows[k][k];
    }
  }
  return { solution: rows.map((row) => row.slice(n)), logDeterminant };
}
