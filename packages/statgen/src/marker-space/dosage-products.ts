import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addCrossProductSingle, addOuterProduct, multiply } from '@heterosis/linalg/products';
import type { Coding, Counted, PackedMarkers, RowRange } from './packed-markers.ts';

/**
 * The lower triangle of D'D (column-major), D the raw dosages of some individuals, m columns; with dominance the
 * heterozygotes follow, m further columns.
 */
export type CrossProducts = Float32Array | Float64Array;

/**
 * Sums of products of dosages 0, 1, 2 stay below 2²⁴ for this many individuals, so that single precision holds them
 * without any rounding.
 */
const EXACT_INDIVIDUALS: number = 2 ** 22;

/** Numbers of a tile: 128 MB in single precision. */
const TILE_NUMBERS = 2 ** 25;
/** Rows of a tile: enough for full speed of a product, few enough for small panels of markers. */
const LARGEST_TILE = 8192;
const SMALLEST_TILE = 256;

/** Individuals decoded at a time, for `columns` markers. */
export function tileRows(columns: number): number {
  return Math.max(SMALLEST_TILE, Math.min(LARGEST_TILE, 4 * Math.floor(TILE_NUMBERS / columns / 4)));
}

/** The tiles of `n` individuals. */
export function* rowTiles(n: number, columns: number): Generator<RowRange> {
  const rows = tileRows(columns);
  for (let first = 0; first < n; first += rows) yield { first, count: Math.min(rows, n - first) };
}

/**
 * D'D of some individuals, n·m² operations. Without missing calls and fractions it is a sum of whole numbers in single
 * precision, exact to {@link EXACT_INDIVIDUALS} and above that added up in double precision; otherwise dosages, with
 * missing calls at the mean of their marker, are multiplied in double precision, at half the speed.
 *
 * @param individuals panel positions; null for all
 * @param counted what the columns count, m of them each
 * @param onTile called after each tile with the individuals done
 */
export function crossProducts(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  counted: readonly Counted[] = ['copies'],
  onTile?: (done: number, total: number) => void,
): CrossProducts {
  const n = individuals?.length ?? markers.panelSize;
  if (markers.isWhole) return wholeProducts(markers, individuals, n, counted, onTile);
  const { m } = markers;
  const columns = m * counted.length;
  const sum = createMatrix(columns, columns);
  const codings = counted.map((kind) => ({ ...rawCoding(m), counted: kind }));
  const tile = new Float64Array(Math.min(tileRows(columns), n) * columns);
  for (const rows of rowTiles(n, columns)) {
    for (const [k, coding] of codings.entries()) {
      markers.decode(individuals, rows, { first: 0, count: m }, coding, tile.subarray(k * m * rows.count));
    }
    addOuterProduct(sum, matrixOf(rows.count, columns, tile), 1, { transposeA: true });
    onTile?.(rows.first + rows.count, n);
  }
  return sum.data;
}

function wholeProducts(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  n: number,
  counted: readonly Counted[],
  onTile: ((done: number, total: number) => void) | undefined,
): CrossProducts {
  const { m } = markers;
  const columns = m * counted.length;
  const tile = new Float32Array(Math.min(tileRows(columns), n) * columns);
  const add = (sum: Float32Array, rows: RowRange): void => {
    for (const [k, kind] of counted.entries()) {
      markers.decodeWhole(individuals, rows, { first: 0, count: m }, tile.subarray(k * m * rows.count), kind);
    }
    addCrossProductSingle(sum, tile, columns, rows.count);
  };
  return sumOfWhole(columns * columns, n, rowTiles(n, columns), add, onTile);
}

/**
 * Adds up products of whole dosages in single precision, from time to time into double precision where there are more
 * individuals than single precision can add exactly.
 */
export function sumOfWhole(
  length: number,
  n: number,
  tiles: Iterable<RowRange>,
  add: (sum: Float32Array, rows: RowRange) => void,
  onTile: ((done: number, total: number) => void) | undefined,
): CrossProducts {
  const total = zeroProducts(length, n);
  const sum = total instanceof Float32Array ? total : new Float32Array(length);
  let summed = 0;
  for (const rows of tiles) {
    if (summed + rows.count > EXACT_INDIVIDUALS && total instanceof Float64Array) {
      addInto(total, sum);
      sum.fill(0);
      summed = 0;
    }
    add(sum, rows);
    summed += rows.count;
    onTile?.(rows.first + rows.count, n);
  }
  if (total instanceof Float64Array) addInto(total, sum);
  return total;
}

/** An array that holds sums of products of whole dosages of `n` individuals exactly. */
export const zeroProducts = (length: number, n: number): CrossProducts =>
  n > EXACT_INDIVIDUALS ? new Float64Array(length) : new Float32Array(length);

function addInto(total: Float64Array, part: Float32Array): void {
  for (let i = 0; i < part.length; i++) total[i] += part[i];
}

/** Raw dosages. */
export function rawCoding(m: number): Coding {
  return { centre: new Float64Array(m), scale: new Float64Array(m).fill(1) };
}

/**
 * D'S: sums of dosages over individuals, weighted by the columns of S; n·m·k operations.
 *
 * @param s n × k by the individuals chosen
 * @returns m × k
 */
export function weightedDosages(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  s: Matrix,
  coding: Coding = rawCoding(markers.m),
): Matrix {
  const { m } = markers;
  const sums = createMatrix(m, s.columns);
  const tile = new Float64Array(Math.min(tileRows(m), s.rows) * m);
  for (const rows of rowTiles(s.rows, m)) {
    markers.decode(individuals, rows, { first: 0, count: m }, coding, tile);
    multiply(matrixOf(rows.count, m, tile), rowsOf(s, rows), { transposeA: true, beta: 1, into: sums });
  }
  return sums;
}

/**
 * Z·B for coded dosages Z: values of individuals from marker effects; n·m·k operations.
 *
 * @param effects m × k
 * @returns n × k
 */
export function valuesOf(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  coding: Coding,
  effects: Matrix,
): Matrix {
  const { m } = markers;
  const n = individuals?.length ?? markers.panelSize;
  const values = createMatrix(n, effects.columns);
  const tile = new Float64Array(Math.min(tileRows(m), n) * m);
  for (const rows of rowTiles(n, m)) {
    markers.decode(individuals, rows, { first: 0, count: m }, coding, tile);
    const part = multiply(matrixOf(rows.count, m, tile), effects);
    for (let k = 0; k < effects.columns; k++) {
      values.data.set(part.data.subarray(k * rows.count, (k + 1) * rows.count), k * n + rows.first);
    }
  }
  return values;
}

function rowsOf(matrix: Matrix, { first, count }: RowRange): Matrix {
  const part = createMatrix(count, matrix.columns);
  for (let k = 0; k < matrix.columns; k++) {
    part.data.set(matrix.data.subarray(k * matrix.rows + first, k * matrix.rows + first + count), k * count);
  }
  return part;
}
