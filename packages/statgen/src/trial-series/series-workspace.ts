import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';

/**
 * Matrices that are written over from one point of a search to the next, by name. Those of a large series are most of
 * the memory that is used, and what is left to the collector stays for several points.
 */
export class SeriesWorkspace {
  readonly #matrices = new Map<string, Matrix>();

  /** The rows × columns matrix of this name, filled with zeros; what it held before is gone. */
  take(name: string, rows: number, columns: number): Matrix {
    const before = this.#matrices.get(name);
    if (before === undefined || before.data.length < rows * columns) {
      const made = createMatrix(rows, columns);
      this.#matrices.set(name, made);
      return made;
    }
    const matrix = matrixOf(rows, columns, before.data);
    matrix.data.fill(0);
    return matrix;
  }
}
