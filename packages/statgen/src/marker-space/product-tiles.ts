import { addCrossProductSingle, addProductSingle } from '@heterosis/linalg/products';
import { StatgenError } from '../statgen-error.ts';
import { type CrossProducts, rowTiles, sumOfWhole } from './dosage-products.ts';
import type { ColumnRange, PackedMarkers, RowRange } from './packed-markers.ts';

/** Blocks of at most `side` markers, as even as can be. */
export function markerBlocks(m: number, side: number): ColumnRange[] {
  const count = Math.ceil(m / side);
  const places = Array.from({ length: count + 1 }, (_, block) => Math.round((block * m) / count));
  return Array.from({ length: count }, (_, block) => ({
    first: places[block],
    count: places[block + 1] - places[block],
  }));
}

/** A tile of D'D: the block of markers that are its rows, and the block, not behind it, that are its columns. */
export interface TilePlace {
  row: number;
  column: number;
}

/** The tiles that make the lower triangle of so many blocks. */
export const tilePlaces = (blocks: number): TilePlace[] =>
  Array.from({ length: blocks }, (_, row) => Array.from({ length: row + 1 }, (__, column) => ({ row, column }))).flat();

/**
 * One tile of D'D, of whole dosages: the products of each marker of `rows` with each of `columns`. The sums are exact,
 * so that tiles have the bytes of `crossProducts`, wherever each was computed.
 *
 * @param columns null for those of `rows`: of these products only the lower triangle is computed, as in D'D
 * @param individuals panel positions; null for all
 * @returns rows.m × columns.m, column-major
 * @throws RangeError for missing calls or fractions, of which sums are not exact
 */
export function productTile(
  rows: PackedMarkers,
  columns: PackedMarkers | null,
  individuals: Int32Array | null,
  onTile?: (done: number, total: number) => void,
): CrossProducts {
  if (!rows.isWhole || columns?.isWhole === false) {
    throw new RangeError('tiles of products need dosages without missing calls and fractions');
  }
  const n = individuals?.length ?? rows.panelSize;
  const width = rows.m + (columns?.m ?? 0);
  const most = Math.min(n, [...rowTiles(n, width)][0]?.count ?? 0);
  const left = new Float32Array(most * rows.m);
  const right = new Float32Array(most * (columns?.m ?? 0));
  const add = (sum: Float32Array, range: RowRange): void => {
    rows.decodeWhole(individuals, range, { first: 0, count: rows.m }, left);
    if (columns === null) return addCrossProductSingle(sum, left, rows.m, range.count);
    columns.decodeWhole(individuals, range, { first: 0, count: columns.m }, right);
    addProductSingle(sum, left, right, { m: rows.m, n: columns.m, k: range.count });
  };
  return sumOfWhole(rows.m * (columns?.m ?? rows.m), n, rowTiles(n, width), add, onTile);
}

/**
 * Puts a tile into its place in D'D.
 *
 * @param products m × m
 * @throws StatgenError `shape-mismatch`
 */
export function placeTile(
  products: CrossProducts,
  m: number,
  { rows, columns }: { rows: ColumnRange; columns: ColumnRange },
  tile: CrossProducts,
): void {
  if (tile.length !== rows.count * columns.count || tile.BYTES_PER_ELEMENT !== products.BYTES_PER_ELEMENT) {
    throw new StatgenError('shape-mismatch', `a tile of ${rows.count} × ${columns.count} has ${tile.length} numbers`, {
      rows: rows.count,
      columns: columns.count,
    });
  }
  for (let j = 0; j < columns.count; j++) {
    const column = tile.subarray(j * rows.count, (j + 1) * rows.count);
    products.set(column, rows.first + (columns.first + j) * m);
  }
}
