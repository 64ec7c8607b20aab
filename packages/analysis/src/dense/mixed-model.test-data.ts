// Linear algebra and REML written down with arrays of rows, for some dozens of individuals.

export type Rows = number[][];

export const transposed = (a: Rows): Rows => (a[0] ?? []).map((_, j) => a.map((row) => row[j]));
export const times = (a: Rows, b: Rows): Rows => {
  const columns = transposed(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
};
export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i], 0);
export const column = (values: readonly number[]): Rows => values.map((value) => [value]);
const traceOfProduct = (a: Rows, b: Rows): number =>
  a.reduce((sum, row, i) => sum + row.reduce((s, v, j) => s + v * b[j][i], 0), 0);

/** Inverse and log-determinant of a positive definite matrix, by Gauss–Jordan. */
export function invert(matrix: Rows): { inverse: Rows; logDeterminant: number } {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  let logDeterminant = 0;
  for (let k = 0; k < n; k++) {
    logDeterminant += Math.log(rows[k][k]);
    const scale = 1 / rows[k][k];
    for (let j = k; j < 2 * n; j++) rows[k][j] *= scale;
    for (let i = 0; i < n; i++) {
      const factor = rows[i][k];
      if (i === k || factor === 0) continue;
      for (let j = k; j < 2 * n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  return { inverse: rows.map((row) => row.slice(n)), logDeterminant };
}

/** Lower Cholesky factor. */
export function cholesky(matrix: Rows): Rows {
  const lower: Rows = matrix.map((row) => row.map(() => 0));
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i][j];
      for (let k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i === j ? Math.sqrt(sum) : sum / lower[j][j];
    }
  }
  return lower;
}

const logDeterminantOf = (lower: Rows): number => 2 * lower.reduce((sum, row, i) => sum + Math.log(row[i]), 0);

/** L⁻¹b. */
export function forward(lower: Rows, b: readonly number[]): number[] {
  const x: number[] = [];
  for (let i = 0; i < b.length; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= lower[i][k] * x[k];
    x.push(sum / lower[i][i]);
  }
  return x;
}

/** A mixed model y = Xb + Σ u + e with u ~ N(0, variance·kernel). */
export interface DenseModel {
  kernels: readonly Rows[];
  /** Full column rank. */
  x: Rows;
  y: readonly number[];
  /** Ω, known; then `residual` is the variance of lines beside it. */
  errors?: Rows | undefined;
}

/** V = Σ variance·kernel + residual·I, + Ω where it is known. */
export function covarianceOf({ kernels, y, errors }: DenseModel, variances: readonly number[], residual: number): Rows {
  return y.map((_, i) =>
    y.map((__, j) =>
      kernels.reduce(
        (sum, kernel, k) => sum + variances[k] * kernel[i][j],
        (errors?.[i][j] ?? 0) + (i === j ? residual : 0),
      ),
    ),
  );
}

/** Log density of the error contrasts: −½(log|V| + log|X'V⁻¹X| − log|X'X| + y'Py + (n − c) log 2π). */
export function remlLogLikelihood(model: DenseModel, variances: readonly number[], residual: number): number {
  const { logs, quadratic, order } = remlParts(model, variances, residual);
  return -0.5 * (logs + quadratic + order * Math.log(2 * Math.PI));
}

/** The same with the size of V at its best. */
export function profiledLogLikelihood(model: DenseModel, variances: readonly number[], residual: number): number {
  const { logs, quadratic, order } = remlParts(model, variances, residual);
  return -0.5 * (logs + order * (Math.log((2 * Math.PI * quadratic) / order) + 1));
}

/** Log density of y at the best fixed effects and size of V. */
export function profiledMaximumLikelihood(model: DenseModel, variances: readonly number[], residual: number): number {
  const n = model.y.length;
  const { quadratic } = remlParts(model, variances, residual);
  const determinant = logDeterminantOf(cholesky(covarianceOf(model, variances, residual)));
  return -0.5 * (determinant + n * (Math.log((2 * Math.PI * quadratic) / n) + 1));
}

/** log|V| + log|X'V⁻¹X| − log|X'X|, y'Py, and the number of error contrasts. */
export function remlParts(
  model: DenseModel,
  variances: readonly number[],
  residual: number,
): { logs: number; quadratic: number; order: number } {
  const { x, y } = model;
  const lower = cholesky(covarianceOf(model, variances, residual));
  const columns = transposed(x).map((values) => forward(lower, values));
  const turned = forward(lower, y);
  const inner = cholesky(columns.map((a) => columns.map((b) => dot(a, b))));
  const explained = forward(
    inner,
    columns.map((a) => dot(a, turned)),
  );
  const raw = logDeterminantOf(cholesky(times(transposed(x), x)));
  return {
    logs: logDeterminantOf(lower) + logDeterminantOf(inner) - raw,
    quadratic: dot(turned, turned) - dot(explained, explained),
    order: y.length - x[0].length,
  };
}

/** P = V⁻¹ − V⁻¹X(X'V⁻¹X)⁻¹X'V⁻¹, and the fixed effects. */
export function projectionOf(
  model: DenseModel,
  variances: readonly number[],
  residual: number,
): { p: Rows; b: number[]; weights: number[] } {
  const { x, y } = model;
  const { inverse } = invert(covarianceOf(model, variances, residual));
  const vx = times(inverse, x);
  const { inverse: covariance } = invert(times(transposed(x), vx));
  const correction = times(times(vx, covariance), transposed(vx));
  const p = inverse.map((row, i) => row.map((value, j) => value - correction[i][j]));
  const b = times(covariance, times(transposed(vx), column(y))).map(([value]) => value);
  return { p, b, weights: p.map((row) => dot(row, y)) };
}

/** tr(MK)/(n − c): what the kernel adds to the variance among the error contrasts. */
export function meanEigenvalue(kernel: Rows, x: Rows): number {
  const { inverse } = invert(times(transposed(x), x));
  const hat = times(times(x, inverse), transposed(x));
  const trace = kernel.reduce((sum, row, i) => sum + row[i], 0) - traceOfProduct(hat, kernel);
  return trace / (x.length - x[0].length);
}

/** REML of one kernel by golden section over log δ, σ²g = size and σ²e = δ·size. */
export function fitOneKernel(model: DenseModel): { genetic: number; residual: number; logLikelihood: number } {
  const scale = meanEigenvalue(model.kernels[0], model.x);
  const at = (t: number): number => profiledLogLikelihood(model, [1], scale * Math.exp(t));
  // δ of the search begins at 1e-9 of the mean eigenvalue, at which the residual variance is 0.
  const best = maximise(at, Math.log(1e-9), 16, 37);
  const none = profiledLogLikelihood(model, [0], 1);
  const [genetic, residual] = none >= best.value - 1e-9 ? [0, 1] : [1, scale * Math.exp(best.x)];
  const size = remlParts(model, [genetic], residual);
  const factor = size.quadratic / size.order;
  return { genetic: genetic * factor, residual: residual * factor, logLikelihood: Math.max(best.value, none) };
}

/** Largest value of a function, by golden section around each of some points that is higher than its neighbours. */
export function maximise(
  f: (x: number) => number,
  low: number,
  high: number,
  points = 28,
): { x: number; value: number } {
  const grid = Array.from({ length: points + 1 }, (_, k) => low + ((high - low) * k) / points);
  const values = grid.map(f);
  const tops = grid.flatMap((_, k) => {
    const isTop = [k - 1, k + 1].every((other) => values[other] === undefined || values[other] <= values[k]);
    return isTop ? [goldenSection(f, grid[Math.max(0, k - 1)], grid[Math.min(points, k + 1)])] : [];
  });
  return tops.reduce((best, top) => (top.value > best.value ? top : best));
}

function goldenSection(f: (x: number) => number, low: number, high: number): { x: number; value: number } {
  let [left, right] = [low, high];
  const ratio = (Math.sqrt(5) - 1) / 2;
  for (let step = 0; step < 45; step++) {
    const [a, b] = [right - ratio * (right - left), left + ratio * (right - left)];
    if (f(a) < f(b)) left = a;
    else right = b;
  }
  const x = 0.5 * (left + right);
  const value = f(x);
  // A flat top lies where its parabola has it: values alone tell the place to the root of their rounding only.
  const step = 1e-3;
  const [before, after] = [f(x - step), f(x + step)];
  const bend = before - 2 * value + after;
  const moved = x - (0.5 * step * (after - before)) / bend;
  const isInside = bend < 0 && Math.abs(moved - x) < step && moved > low && moved < high;
  return { x: isInside ? moved : x, value };
}

/** Pearson correlation. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const [ca, cb] = [a.map((value) => value - ma), b.map((value) => value - mb)];
  return dot(ca, cb) / Math.sqrt(dot(ca, ca) * dot(cb, cb));
}
