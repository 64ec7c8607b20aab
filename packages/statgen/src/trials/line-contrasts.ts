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
  /** K′AK for a symmetric A given by its columns. */
  reduceSymmetric(column: (j: number, into: Float64Array) => void, into: Matrix): void;
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
        for (let j = 0; j < n; j++) column(j, into.data.subarray(j * n, (j + 1) * n));
      },
    };
  }
  const helmert = helmertSums(members);
  const order = n - members.length;
  return {
    order,
    logDeterminant: plotsOfLines(lines).reduce((sum, plots) => sum + Math.log(plots), 0),
    membersOfLines: [],
    reduce(b) {
      const result = createMatrix(order, b.columns);
      for (let j = 0; j < b.columns; j++)
        helmert(b.data.subarray(j * n, (j + 1) * n), result.data.subarray(j * order, (j + 1) * order));
      return result;
    },
    reduceSymmetric(column, into) {
      const whole = new Float64Array(n);
      const half = createMatrix(order, n);
      for (let j = 0; j < n; j++) {
        column(j, whole);
        helmert(whole, half.data.subarray(j * order, (j + 1) * order));
      }
      combineColumns(members, half, into);
    },
  };
}

/** K′x: for the k-th further plot of a line, (sum of the k before it − k · itself)/√(k(k + 1)). */
function helmertSums(members: readonly number[][]): (x: Float64Array, into: Float64Array) => void {
  const plots = Int32Array.from(members.flat());
  const starts = Int32Array.from({ length: members.length + 1 });
  members.forEach(({ length }, line) => {
    starts[line + 1] = starts[line] + length;
  });
  return (x, into) => {
    let at = 0;
    for (let line = 0; line + 1 < starts.length; line++) {
      let sum = x[plots[starts[line]]];
      for (let k = 1; k < starts[line + 1] - starts[line]; k++) {
        const value = x[plots[starts[line] + k]];
        into[at++] = (sum - k * value) / Math.sqrt(k * (k + 1));
        sum += value;
      }
    }
  };
}

/** (K′A)K: columns are combined as the values of a vector are. */
function combineColumns(members: readonly number[][], half: Matrix, into: Matrix): void {
  const order = half.rows;
  const sum = new Float64Array(order);
  let at = 0;
  for (const [first, ...others] of members) {
    sum.set(half.data.subarray(first * order, (first + 1) * order));
    others.forEach((plot, index) => {
      const k = index + 1;
      const scale = 1 / Math.sqrt(k * (k + 1));
      const from = plot * order;
      for (let i = 0; i < order; i++) {
        const value = half.data[from + i];
        into.data[at++] = (sum[i] - k * value) * scale;
        sum[i] += value;
      }
    });
  }
}
