import type { Matrix } from '@heterosis/linalg/matrix';
import { type LineFactor, plotsOfLines } from './trial-equations.ts';

/** Share of a column's squares that must be left beside the columns before it. */
const LEAST_SHARE = 1e-9;

/**
 * The first column that the lines (when they are fixed) and the columns before it explain; null when there is none.
 * Gram–Schmidt, O(nf²).
 */
export function independentColumns(columns: Matrix, lines: LineFactor): number | null {
  const n = columns.rows;
  const plots = plotsOfLines(lines);
  const basis: Float64Array[] = [];
  for (let j = 0; j < columns.columns; j++) {
    const column = columns.data.slice(j * n, (j + 1) * n);
    const before = squares(column);
    if (!lines.random) {
      const means = new Float64Array(lines.count);
      for (let i = 0; i < n; i++) means[lines.codes[i]] += column[i] / plots[lines.codes[i]];
      for (let i = 0; i < n; i++) column[i] -= means[lines.codes[i]];
    }
    // Twice, so that rounding of the first pass is taken out too.
    for (let pass = 0; pass < 2; pass++) {
      for (const other of basis) {
        let along = 0;
        for (let i = 0; i < n; i++) along += other[i] * column[i];
        for (let i = 0; i < n; i++) column[i] -= along * other[i];
      }
    }
    const left = squares(column);
    if (!(left > LEAST_SHARE * before)) return j;
    basis.push(column.map((value) => value / Math.sqrt(left)));
  }
  return null;
}

/** Whether the lines (when they are fixed) and independent fixed columns explain all columns of a term. O(nf²) each. */
export function isExplained(term: Matrix, fixed: Matrix, lines: LineFactor): boolean {
  const n = fixed.rows;
  for (let j = 0; j < term.columns; j++) {
    const data = new Float64Array((fixed.columns + 1) * n);
    data.set(fixed.data);
    data.set(term.data.subarray(j * n, (j + 1) * n), fixed.columns * n);
    const isNew = independentColumns({ rows: n, columns: fixed.columns + 1, data }, lines) === null;
    // An empty column explains nothing, and needs no explanation.
    if (isNew && term.data.subarray(j * n, (j + 1) * n).some((value) => value !== 0)) return false;
  }
  return true;
}

const squares = (column: Float64Array): number => column.reduce((sum, value) => sum + value * value, 0);
