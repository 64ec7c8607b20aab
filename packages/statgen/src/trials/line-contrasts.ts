import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { type LineFactor, plotsOfLines } from './trial-equations.ts';

/** The coordinates in which a dense model is fitted: those of the plots, or of the contrasts within fixed lines. */
export interface LineContrasts {
  /** Number of coordinates m: n, or n − lines. */
  order: number;
  /** What log|K′VK| lacks of log|V| + log|X′V⁻¹X|: Σ log n_i of the lines that left. */
  logDeterminant: number;
  /** Plots of each random line; empty for fixed lines, and in the order of the coordinates. */
  membersOfLines: number[][];
  /** K′B for B n × k. */
  reduce(b: Matrix): Matrix;
  /** K′AK for a symmetric A given by its columns; of random lines only the lower triangle. */
  reduceSymmetric(column: (j: number, into: Float64Array, from: number) => void, into: Matrix): void;
  /** KB for B m × k. */
  expand(b: Matrix): Matrix;
  /** Calls `column` with each column of KAK′, for a symmetric A given by both triangles: tr(KAK′R) = tr(AK′RK). */
  expandSymmetric(a: Matrix, column: (j: number, values: Float64Array) => void): void;
}

/**
 * For fixed lines the n_i − 1 orthonormal Helmert contrasts of the plots of each line, which hold all that restricted
 * likelihood sees (Patterson & Thompson 1971); for random lines the plots themselves.
 */
export function lineContrasts(lines: LineFactor): LineContrasts {
  const n = lines.codes.length;
  const members: number[][] = Array.from({ length: lines.count }, () => []);
  lines.codes.forEach((code, plot) => {
    if (code >= 0) members[code].push(plot);
  });
  if (lines.random) {
    return {
      order: n,
      logDeterminant: 0,
      membersOfLines: members.filter(({ length }) => length > 0),
      reduce: (b) => b,
      reduceSymmetric: (column, into) => {
        for (let j = 0; j < n; j++) column(j, into.data.subarray(j * n, (j + 1) * n), j);
      },
      expand: (b) => b,
      expandSymmetric: (a, column) => {
        for (let j = 0; j < n; j++) column(j, a.data.subarray(j * n, (j + 1) * n));
      },
    };
  }
  const contrasts = helmertContrasts(members);
  const order = n - members.length;
  const whole = new Float64Array(n);
  /** K′A, m × n; written over by every reduction. */
  const half = createMatrix(order, n);
  return {
    order,
    logDeterminant: plotsOfLines(lines).reduce((sum, plots) => sum + Math.log(plots), 0),
    membersOfLines: [],
    reduce(b) {
      const result = createMatrix(order, b.columns);
      for (let j = 0; j < b.columns; j++)
        combine(contrasts, b.data.subarray(j * n, (j + 1) * n), result.data.subarray(j * order, (j + 1) * order));
      return result;
    },
    reduceSymmetric(column, into) {
      for (let j = 0; j < n; j++) {
        column(j, whole, 0);
        combine(contrasts, whole, half.data.subarray(j * order, (j + 1) * order));
      }
      combineColumns(contrasts, half, into);
    },
    expand(b) {
      const result = createMatrix(n, b.columns);
      for (let j = 0; j < b.columns; j++)
        spread(contrasts, b.data.subarray(j * order, (j + 1) * order), result.data.subarray(j * n, (j + 1) * n));
      return result;
    },
    expandSymmetric(a, column) {
      spreadColumns(contrasts, a, half);
      for (let j = 0; j < n; j++) {
        spread(contrasts, half.data.subarray(j * order, (j + 1) * order), whole);
        column(j, whole);
      }
    },
  };
}

/** The contrasts of all lines one after the other: (sum of the k plots before − k · plot) · scale. */
interface HelmertContrasts {
  /** First plot of the line where k = 1, −1 where the sum goes on. */
  first: Int32Array;
  plot: Int32Array;
  factor: Int32Array;
  scale: Float64Array;
}

function helmertContrasts(members: readonly number[][]): HelmertContrasts {
  const contrasts = members.flatMap(([first, ...others]) =>
    others.map((plot, index) => ({ first: index === 0 ? first : -1, plot, k: index + 1 })),
  );
  return {
    first: Int32Array.from(contrasts, ({ first }) => first),
    plot: Int32Array.from(contrasts, ({ plot }) => plot),
    factor: Int32Array.from(contrasts, ({ k }) => k),
    scale: Float64Array.from(contrasts, ({ k }) => 1 / Math.sqrt(k * (k + 1))),
  };
}

/** K′x. */
function combine({ first, plot, factor, scale }: HelmertContrasts, x: Float64Array, into: Float64Array): void {
  let sum = 0;
  for (let c = 0; c < plot.length; c++) {
    if (first[c] >= 0) sum = x[first[c]];
    const value = x[plot[c]];
    into[c] = (sum - factor[c] * value) * scale[c];
    sum += value;
  }
}

/** Kz, the plots of a line from its last contrast to its first. */
function spread({ first, plot, factor, scale }: HelmertContrasts, z: Float64Array, into: Float64Array): void {
  into.fill(0);
  let sum = 0;
  for (let c = plot.length - 1; c >= 0; c--) {
    const value = z[c] * scale[c];
    into[plot[c]] = sum - factor[c] * value;
    sum += value;
    if (first[c] < 0) continue;
    into[first[c]] = sum;
    sum = 0;
  }
}

/** AK′ of a symmetric A, m × n. */
function spreadColumns({ first, plot, factor, scale }: HelmertContrasts, a: Matrix, into: Matrix): void {
  const order = a.rows;
  const sum = new Float64Array(order);
  into.data.fill(0);
  for (let c = plot.length - 1; c >= 0; c--) {
    const to = plot[c] * order;
    const [times, by] = [factor[c], scale[c]];
    for (let i = 0; i < order; i++) {
      const value = a.data[i + c * order] * by;
      into.data[to + i] = sum[i] - times * value;
      sum[i] += value;
    }
    if (first[c] < 0) continue;
    into.data.set(sum, first[c] * order);
    sum.fill(0);
  }
}

/** (K′A)K: columns are combined as the values of a vector are. */
function combineColumns({ first, plot, factor, scale }: HelmertContrasts, half: Matrix, into: Matrix): void {
  const order = half.rows;
  const sum = new Float64Array(order);
  for (let c = 0; c < plot.length; c++) {
    if (first[c] >= 0) sum.set(half.data.subarray(first[c] * order, (first[c] + 1) * order));
    const from = plot[c] * order;
    const to = c * order;
    const [times, by] = [factor[c], scale[c]];
    for (let i = 0; i < order; i++) {
      const value = half.data[from + i];
      into.data[to + i] = (sum[i] - times * value) * by;
      sum[i] += value;
    }
  }
}
