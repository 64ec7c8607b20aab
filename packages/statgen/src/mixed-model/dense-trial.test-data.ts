import type { TrialRecords } from './trial-layout.ts';

/**
 * REML of field trials as the definition says, with dense matrices as arrays of rows and no linear-algebra library: the
 * yardstick of the fast version. V = σ²g Z₁Z₁′ + σ²ge Z₂Z₂′ + σ²e I, X the cells and checks. O(n³), for small n only.
 */
export interface DenseTrial {
  theta: number[];
  /** Standard errors from the average information. */
  standardErrors: number[];
  /** ∂ℓ/∂θ. */
  score(theta: readonly number[]): number[];
  /** Mean over all pairs of random lines of the variance of the difference of their BLUPs. */
  meanDifferenceVariance: number;
}

type Rows = number[][];

/** @param withInteraction false leaves σ²ge out */
export function denseTrial(records: TrialRecords, withInteraction: boolean): DenseTrial {
  const { line, cell, value, lineCount, environmentOfCell, isFixedLine } = records;
  const n = value.length;
  const y = [...value];
  const isRandom = (i: number) => isFixedLine === null || isFixedLine[i] === 0;
  const rows = Array.from({ length: n }, (_, i) => i);
  const same = (f: (i: number) => number | string | null) =>
    rows.map((i) => rows.map((j) => Number(f(i) !== null && f(i) === f(j))));
  const kernels = [
    same((i) => (isRandom(line[i]) ? line[i] : null)),
    ...(withInteraction ? [same((i) => `${line[i]} ${environmentOfCell[cell[i]]}`)] : []),
    rows.map((i) => rows.map((j) => Number(i === j))),
  ];
  const columns = [
    ...Array.from({ length: records.cellCount }, (_, c) => rows.map((i) => Number(cell[i] === c))),
    ...Array.from({ length: lineCount }, (_, l) => l)
      .filter((l) => !isRandom(l))
      .map((l) => rows.map((i) => Number(line[i] === l))),
  ];
  const x = independent(columns);

  function projection(theta: readonly number[]): { p: Rows; inverse: Rows } {
    const v = rows.map((i) => rows.map((j) => kernels.reduce((sum, k, at) => sum + theta[at] * k[i][j], 0)));
    const inverse = invert(v);
    const vx = x.map((column) => times(inverse, column));
    const normal = invert(x.map((a) => vx.map((b) => dot(a, b))));
    const p = rows.map((i) =>
      rows.map((j) =>
        x.reduce((sum, _, a) => sum - x.reduce((s, __, b) => s + vx[a][i] * normal[a][b] * vx[b][j], 0), inverse[i][j]),
      ),
    );
    return { p, inverse };
  }
  function score(theta: readonly number[]): number[] {
    const { p } = projection(theta);
    const py = times(p, y);
    return kernels.map((k) => 0.5 * (dot(py, times(k, py)) - trace(p, k)));
  }
  // Fisher scoring: the expected information is ½ tr(PKᵢPKⱼ).
  const spread = dot(y, y) / n - (y.reduce((a, b) => a + b, 0) / n) ** 2;
  let theta = kernels.map(() => spread / kernels.length);
  for (let iteration = 0; iteration < 500; iteration++) {
    const { p } = projection(theta);
    const pk = kernels.map((k) => product(p, k));
    const information = pk.map((a) => pk.map((b) => 0.5 * trace(a, b)));
    const step = times(invert(information), score(theta));
    let length = 1;
    while (theta.some((t, k) => t + length * step[k] <= 0)) length /= 2;
    theta = theta.map((t, k) => t + length * step[k]);
    if (Math.max(...step.map(Math.abs)) < 1e-13 * spread) break;
  }
  const { p } = projection(theta);
  const images = kernels.map((k) => times(k, times(p, y)));
  const average = images.map((a) => images.map((b) => 0.5 * dot(a, times(p, b))));
  const standardErrors = invert(average).map((row, k) => Math.sqrt(row[k]));

  const random = Array.from({ length: lineCount }, (_, l) => l).filter((l) => isRandom(l) && line.includes(l));
  const z = random.map((l) => rows.map((i) => Number(line[i] === l)));
  const g = theta[0];
  const error = random.map((_, a) => random.map((__, b) => (a === b ? g : 0) - g * g * dot(z[a], times(p, z[b]))));
  let sum = 0;
  let pairs = 0;
  for (let a = 0; a < random.length; a++) {
    for (let b = 0; b < a; b++) {
      sum += error[a][a] + error[b][b] - 2 * error[a][b];
      pairs++;
    }
  }
  return { theta, standardErrors, score, meanDifferenceVariance: sum / pairs };
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
const times = (a: Rows, b: readonly number[]): number[] => a.map((row) => dot(row, b));
const product = (a: Rows, b: Rows): Rows =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const trace = (a: Rows, b: Rows): number =>
  a.reduce((sum, row, i) => sum + row.reduce((s, value, j) => s + value * b[j][i], 0), 0);

/** Columns that are no combination of those before them (Gram–Schmidt). */
function independent(columns: Rows): Rows {
  const basis: Rows = [];
  return columns.filter((column) => {
    let rest = column;
    for (const unit of basis) {
      const share = dot(rest, unit);
      rest = rest.map((value, i) => value - share * unit[i]);
    }
    const norm = Math.sqrt(dot(rest, rest));
    if (norm < 1e-9) return false;
    basis.push(rest.map((value) => value / norm));
    return true;
  });
}

/** Gauss–Jordan with the largest pivot of the column. */
function invert(matrix: Rows): Rows {
  const n = matrix.length;
  const a = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[pivot][k])) pivot = i;
    [a[k], a[pivot]] = [a[pivot], a[k]];
    const scale = a[k][k];
    a[k] = a[k].map((value) => value / scale);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = a[i][k];
      if (factor !== 0) a[i] = a[i].map((value, j) => value - factor * a[k][j]);
    }
  }
  return a.map((row) => row.slice(n));
}
