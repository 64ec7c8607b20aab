/**
 * REML written down as its definition says, with dense matrices as arrays of rows and no linear-algebra library: the
 * yardstick of the fast versions. O(n³) an evaluation, for small n only.
 */
export interface DenseReml {
  /** −½(log|V| + log|1ᵀV⁻¹1| − log n + yᵀPy + (n − 1) log 2π), V = Σ variance·kernel + residual·I. */
  logLikelihood: number;
  /** yᵀPy. */
  quadratic: number;
  mean: number;
  /** Py. */
  weights: number[];
  inverse: number[][];
  /** V⁻¹ − V⁻¹1(1ᵀV⁻¹1)⁻¹1ᵀV⁻¹. */
  projection: number[][];
}

export function denseReml(
  kernels: number[][][],
  variances: readonly number[],
  residual: number,
  y: number[],
): DenseReml {
  const n = y.length;
  const v = y.map((_, i) =>
    y.map((__, j) => kernels.reduce((sum, kernel, k) => sum + variances[k] * kernel[i][j], i === j ? residual : 0)),
  );
  const { inverse, logDeterminant } = invertSymmetric(v);
  const rowSums = inverse.map((row) => row.reduce((sum, value) => sum + value, 0));
  const total = rowSums.reduce((sum, value) => sum + value, 0);
  const mean = rowSums.reduce((sum, value, i) => sum + value * y[i], 0) / total;
  const projection = inverse.map((row, i) => row.map((value, j) => value - (rowSums[i] * rowSums[j]) / total));
  const residuals = y.map((value) => value - mean);
  const weights = inverse.map((row) => row.reduce((sum, value, j) => sum + value * residuals[j], 0));
  const quadratic = weights.reduce((sum, value, i) => sum + value * residuals[i], 0);
  const logs = logDeterminant + Math.log(total) - Math.log(n);
  return {
    logLikelihood: -0.5 * (logs + quadratic + (n - 1) * Math.log(2 * Math.PI)),
    quadratic,
    mean,
    weights,
    inverse,
    projection,
  };
}

/** The likelihood with the size of V profiled out: `shares` and 1 − Σ shares are multiplied by yᵀPy/(n − 1). */
export function profiledReml(kernels: number[][][], shares: readonly number[], y: number[]): number {
  const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
  const { quadratic } = denseReml(kernels, shares, rest, y);
  const scale = quadratic / (y.length - 1);
  return denseReml(
    kernels,
    shares.map((share) => share * scale),
    rest * scale,
    y,
  ).logLikelihood;
}

/** Largest value of a function on an interval by golden section, from the best of some points. */
export function goldenSection(
  f: (x: number) => number,
  low: number,
  high: number,
  points = 40,
): { x: number; value: number } {
  const grid = Array.from({ length: points + 1 }, (_, k) => low + ((high - low) * k) / points);
  const values = grid.map(f);
  const best = values.indexOf(Math.max(...values));
  let left = grid[Math.max(0, best - 1)];
  let right = grid[Math.min(points, best + 1)];
  const ratio = (Math.sqrt(5) - 1) / 2;
  for (let step = 0; step < 60; step++) {
    const a = right - ratio * (right - left);
    const b = left + ratio * (right - left);
    if (f(a) < f(b)) left = a;
    else right = b;
  }
  const candidates = [grid[best], left, right];
  const found = candidates.reduce((one, other) => (f(other) > f(one) ? other : one));
  return { x: found, value: f(found) };
}

/** Gauss–Jordan with the largest pivot of the column. */
export function invertSymmetric(matrix: number[][]): { inverse: number[][]; logDeterminant: number } {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  let logDeterminant = 0;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    logDeterminant += Math.log(Math.abs(rows[k][k]));
    const scale = 1 / rows[k][k];
    for (let j = k; j < 2 * n; j++) rows[k][j] *= scale;
    for (let i = 0; i < n; i++) {
      if (i === k || rows[i][k] === 0) continue;
      const factor = rows[i][k];
      for (let j = k; j < 2 * n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  return { inverse: rows.map((row) => row.slice(n)), logDeterminant };
}
