import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import type { FieldPlaces } from './field-correlations.ts';

/** Computes with R = a[|Δrow|]·b[|Δcolumn|] of the plots of a field without R itself. */
export interface FieldGrid {
  /** RB for B n × k; n·(rows + columns) operations a column. */
  multiply(a: Float64Array, b: Float64Array, columns: Matrix): Matrix;
  /**
   * Adds what column j of a symmetric A, from its diagonal down, has of tr(AR) for each R of `factors`.
   *
   * @param factors a and b of each R
   */
  addTraces(traces: Float64Array, j: number, column: Float64Array, factors: readonly (readonly Float64Array[])[]): void;
}

export function fieldGrid(places: FieldPlaces, n: number): FieldGrid {
  const rows = places.rows ?? new Int32Array(n);
  const columns = places.columns ?? new Int32Array(n);
  const [ofRows, ofColumns] = [distinct(rows), distinct(columns)];
  const rowCount = ofRows.values.length;
  const columnCount = ofColumns.values.length;
  return {
    multiply(a, b, given) {
      const result = createMatrix(n, given.columns);
      const along = new Float64Array(rowCount * columnCount);
      for (let k = 0; k < given.columns; k++) {
        const at = k * n;
        along.fill(0);
        for (let j = 0; j < n; j++) {
          const value = given.data[at + j];
          const [own, first] = [rows[j], ofColumns.place[j] * rowCount];
          for (let r = 0; r < rowCount; r++) along[first + r] += a[Math.abs(ofRows.values[r] - own)] * value;
        }
        for (let i = 0; i < n; i++) {
          const [own, first] = [columns[i], ofRows.place[i]];
          let sum = 0;
          for (let c = 0; c < columnCount; c++) {
            sum += b[Math.abs(ofColumns.values[c] - own)] * along[first + c * rowCount];
          }
          result.data[at + i] = sum;
        }
      }
      return result;
    },
    addTraces(traces, j, column, factors) {
      const [ownRow, ownColumn] = [rows[j], columns[j]];
      for (const [k, [a, b]] of factors.entries()) {
        let sum = 0;
        for (let i = j + 1; i < n; i++) {
          sum += column[i] * a[Math.abs(rows[i] - ownRow)] * b[Math.abs(columns[i] - ownColumn)];
        }
        traces[k] += column[j] * a[0] * b[0] + 2 * sum;
      }
    },
  };
}

/** The distinct values in ascending order, and the place of each value among them. */
function distinct(all: Int32Array): { values: Int32Array; place: Int32Array } {
  const values = Int32Array.from(new Set(all)).sort();
  const places = new Map(Array.from(values, (value, place) => [value, place]));
  return { values, place: all.map((value) => places.get(value) ?? 0) };
}
