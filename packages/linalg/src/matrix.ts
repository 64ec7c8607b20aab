import { LinalgError } from './linalg-error.ts';

/** A dense matrix, column-major: element (i, j) is `data[i + j · rows]`; columns are contiguous. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

/** A rows × columns matrix of zeros. @throws LinalgError `shape-mismatch` unless sizes are integers ≥ 0 */
export function createMatrix(rows: number, columns: number): Matrix {
  requireSize(rows, columns);
  return { rows, columns, data: new Float64Array(rows * columns) };
}

/**
 * The given values as a rows × columns matrix, column-major, without a copy (a longer array may be passed as scratch).
 *
 * @throws LinalgError `shape-mismatch` when there are fewer than rows × columns values
 */
export function matrixOf(rows: number, columns: number, data: Float64Array): Matrix {
  requireSize(rows, columns);
  if (data.length < rows * columns) {
    throw new LinalgError('shape-mismatch', `${data.length} values cannot fill a ${rows} × ${columns} matrix`);
  }
  return { rows, columns, data: data.length === rows * columns ? data : data.subarray(0, rows * columns) };
}

/** Columns `first` … `first + count − 1` of a matrix; shares memory with it. @throws LinalgError `shape-mismatch` */
export function columnBlock(matrix: Matrix, first: number, count: number): Matrix {
  if (!(first >= 0 && count >= 0 && first + count <= matrix.columns)) {
    throw new LinalgError(
      'shape-mismatch',
      `columns ${first} to ${first + count - 1} do not lie in ${shapeOf(matrix)}`,
    );
  }
  const data = matrix.data.subarray(first * matrix.rows, (first + count) * matrix.rows);
  return { rows: matrix.rows, columns: count, data };
}

/** The transpose, as a new matrix; copied in square tiles so that both sides stay in cache. */
export function transpose(matrix: Matrix): Matrix {
  const { rows, columns, data } = matrix;
  const result = createMatrix(columns, rows);
  const out = result.data;
  for (let tileColumn = 0; tileColumn < columns; tileColumn += TILE) {
    const endColumn = Math.min(columns, tileColumn + TILE);
    for (let tileRow = 0; tileRow < rows; tileRow += TILE) {
      const endRow = Math.min(rows, tileRow + TILE);
      for (let j = tileColumn; j < endColumn; j++) {
        for (let i = tileRow; i < endRow; i++) out[j + i * columns] = data[i + j * rows];
      }
    }
  }
  return result;
}

/** Copies the lower triangle of a square matrix onto its upper one, in place, and returns the matrix. */
export function mirrorLower(matrix: Matrix): Matrix {
  const n = requireSquare(matrix, 'a matrix to mirror');
  const { data } = matrix;
  for (let tileColumn = 0; tileColumn < n; tileColumn += TILE) {
    const endColumn = Math.min(n, tileColumn + TILE);
    for (let tileRow = tileColumn; tileRow < n; tileRow += TILE) {
      const endRow = Math.min(n, tileRow + TILE);
      for (let j = tileColumn; j < endColumn; j++) {
        for (let i = Math.max(tileRow, j + 1); i < endRow; i++) data[j + i * n] = data[i + j * n];
      }
    }
  }
  return matrix;
}

/** Writes the lower triangle of a square matrix, column by column, into n(n + 1)/2 values. */
export function packLower(matrix: Matrix, into: Float64Array): void {
  const n = requireSquare(matrix, 'a matrix to pack');
  for (let j = 0, place = 0; j < n; place += n - j, j++) {
    into.set(matrix.data.subarray(j + j * n, (j + 1) * n), place);
  }
}

/** The symmetric matrix, both triangles, that `packLower` packed, written into one of its size. */
export function unpackLower(packed: Float64Array, into: Matrix): Matrix {
  const n = requireSquare(into, 'a matrix to unpack');
  for (let j = 0, place = 0; j < n; place += n - j, j++) {
    into.data.set(packed.subarray(place, place + n - j), j + j * n);
  }
  return mirrorLower(into);
}

/** A new matrix of the given rows and columns (0-based, in that order) of another. */
export function selectRowsAndColumns(matrix: Matrix, rows: Int32Array, columns: Int32Array): Matrix {
  const result = createMatrix(rows.length, columns.length);
  const { data } = matrix;
  const out = result.data;
  let position = 0;
  for (let j = 0; j < columns.length; j++) {
    const start = columns[j] * matrix.rows;
    for (let i = 0; i < rows.length; i++) out[position++] = data[start + rows[i]];
  }
  return result;
}

/** "3 × 4", for messages. */
export function shapeOf(matrix: Matrix): string {
  return `${matrix.rows} × ${matrix.columns}`;
}

/** The order of a square matrix. @throws LinalgError `shape-mismatch` when it is not square */
export function requireSquare(matrix: Matrix, what: string): number {
  if (matrix.rows !== matrix.columns) {
    throw new LinalgError('shape-mismatch', `${what} must be square, not ${shapeOf(matrix)}`);
  }
  return matrix.rows;
}

/** Side of the square tiles of copies between triangles; 32 × 32 doubles are 8 kB. */
const TILE = 32;

function requireSize(rows: number, columns: number): void {
  if (!(Number.isSafeInteger(rows) && Number.isSafeInteger(columns) && rows >= 0 && columns >= 0)) {
    throw new LinalgError('shape-mismatch', `a matrix cannot have ${rows} × ${columns} elements`);
  }
}
