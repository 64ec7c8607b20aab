import {
  type Arrangement,
  type DesignKind,
  emptyArrangement,
  equalReplicates,
  type PlaceRequest,
  requireEntries,
  searchArrangement,
} from './arrangement.ts';
import { DesignError } from './design-error.ts';
import { rowColumnBound } from './efficiency-bounds.ts';
import type { Field } from './field.ts';
import { placeChecks } from './placed-checks.ts';

/** How replicates lie in the field: `down` one below the other, `across` beside each other, both as a Latin square. */
interface Tiles {
  /** Rows and columns of a tile, and the tiles. */
  rows: number;
  columns: number;
  down: number;
  across: number;
}

/**
 * Row-column designs whose replicates are rectangles of the field: bands of whole rows, bands of whole columns, or both
 * at once. In the last every band of rows and every band of columns holds all entries once: r × r tiles, filled with
 * r groups of entries as a Latin square (Latinized designs, John & Williams 1995, chapter 6).
 */
export const ROW_COLUMN: DesignKind = {
  shape(place) {
    requireEntries(place, 4);
    const { rows, columns, down, across } = tilesOf(place);
    const plots = rows * columns * down * across;
    return { plots, band: columns * across, unit: columns * across };
  },
  arrange(place, field, chance) {
    const tiles = tilesOf(place);
    const found = emptyArrangement(field.cells.length);
    const tileOf = new Int32Array(field.cells.length).fill(-1);
    const inTile = new Int32Array(field.cells.length);
    const offset = firstCell(field);
    field.cells.forEach(({ row, column }, cell) => {
      const [y, x] = [row - offset.row, column - offset.column];
      const down = Math.floor(y / tiles.rows);
      const across = Math.floor(x / tiles.columns);
      if (down >= tiles.down || across >= tiles.across) return;
      tileOf[cell] = down * tiles.across + across;
      inTile[cell] = (y % tiles.rows) * tiles.columns + (x % tiles.columns);
    });
    requireWholeTiles(tileOf, tiles);
    const isBoth = place.request.resolvable === 'both';
    const groups = groupsOf(place, tiles, isBoth, chance.random.shuffle([...place.lines]));
    const squares = latinSquare(isBoth ? tiles.down : 1, chance);
    const drawn = Array.from({ length: tiles.down * tiles.across }, (_, tile) => {
      const group = isBoth ? (squares[Math.floor(tile / tiles.across)]?.[tile % tiles.across] ?? 0) : 0;
      return chance.random.shuffle([...(groups[group] ?? [])]);
    });
    const isAcross = !isBoth && tiles.across > 1;
    tileOf.forEach((tile, cell) => {
      if (tile < 0) return;
      found.entry[cell] = drawn[tile]?.[inTile[cell]] ?? -1;
      found.replicate[cell] = (isBoth ? Math.floor(tile / tiles.across) : isAcross ? tile % tiles.across : tile) + 1;
    });
    const factors = factorsOf(field, found, isBoth);
    const { random } = chance;
    const placed = placeChecks(place, field, {
      entry: found.entry,
      zone: tileOf,
      nameOf: (one) => `Rectangle ${one + 1}`,
      random,
    });
    searchArrangement(place, field, found, { ...chance, zone: tileOf, ...placed, factors: Object.values(factors) });
    found.factors = factors;
    const r = equalReplicates(place);
    found.bound =
      r === 1
        ? null
        : isBoth
          ? rowColumnBoundOfBoth(place.lines.length, tiles, r)
          : rowColumnBound(tiles.rows, tiles.columns, r);
    return found;
  },
};

/** Rows and columns of each replicate, or of the whole field where replicates run in both directions. */
function factorsOf(field: Field, { replicate }: Arrangement, isBoth: boolean): Record<string, Int32Array> {
  const level = (size: number, at: number, cell: number) => (isBoth ? at : (replicate[cell] - 1) * size + at);
  return {
    rows: Int32Array.from(field.cells, ({ row }, cell) => (replicate[cell] < 1 ? -1 : level(field.rows, row, cell))),
    columns: Int32Array.from(field.cells, ({ column }, cell) =>
      replicate[cell] < 1 ? -1 : level(field.columns, column, cell),
    ),
  };
}

/** As {@link rowColumnBound} with R/r rows and C/r columns to a replicate of each direction. */
function rowColumnBoundOfBoth(v: number, { rows, columns }: Tiles, r: number): number {
  const loss = rows - 1 + (columns - 1);
  const rank = Math.min(v - 1, r * loss);
  return loss === 0 ? 1 : (v - 1) / (v - 1 - rank + rank / (1 - loss / rank));
}

const firstCell = ({ cells }: Field): { row: number; column: number } => ({
  row: cells.reduce((least, { row }) => Math.min(least, row), Number.POSITIVE_INFINITY),
  column: cells.reduce((least, { column }) => Math.min(least, column), Number.POSITIVE_INFINITY),
});

function requireWholeTiles(tileOf: Int32Array, { rows, columns, down, across }: Tiles): void {
  const counts = new Int32Array(down * across);
  for (const tile of tileOf) if (tile >= 0) counts[tile] += 1;
  if (counts.every((count) => count === rows * columns)) return;
  throw new DesignError(
    'block-cut',
    'Holes or borders of the field cut a replicate: row-column designs need whole rectangles.',
    'Leave these rows or columns out of the field, or choose p-rep, alpha or rcbd.',
  );
}

/** All entries, or r groups of them where replicates run in both directions. */
function groupsOf(place: PlaceRequest, tiles: Tiles, isBoth: boolean, lines: readonly number[]): number[][] {
  const size = isBoth ? tiles.rows * tiles.columns : place.lines.length;
  return Array.from({ length: lines.length / size }, (_, group) => lines.slice(group * size, (group + 1) * size));
}

/** A random Latin square of groups, from the cyclic one. */
function latinSquare(order: number, { random }: Pick<Parameters<DesignKind['arrange']>[2], 'random'>): number[][] {
  const [rows, columns] = [random.shuffle([...Array(order).keys()]), random.shuffle([...Array(order).keys()])];
  return rows.map((row) => columns.map((column) => (row + column) % order));
}

function tilesOf(place: PlaceRequest): Tiles {
  const { request, lines } = place;
  const v = lines.length;
  const r = equalReplicates(place);
  const isAlongRows = request.field.along === 'rows';
  const { borders } = request.field;
  const across = borders === 'columns' || borders === 'all' ? 2 : 0;
  const down = borders === 'rows' || borders === 'all' ? 2 : 0;
  const onMap = {
    rows: request.field.rows && request.field.rows - down,
    columns: request.field.columns && request.field.columns - across,
  };
  const rows = isAlongRows ? onMap.rows : onMap.columns;
  const columns = isAlongRows ? onMap.columns : onMap.rows;
  const resolvable = {
    rows: isAlongRows ? 'rows' : 'columns',
    columns: isAlongRows ? 'columns' : 'rows',
    both: 'both',
  };
  const kind = resolvable[request.resolvable];
  const [tilesDown, tilesAcross] = kind === 'both' ? [r, r] : kind === 'rows' ? [r, 1] : [1, r];
  const size = kind === 'both' ? v / r : v;
  const found = rectangles(size).filter(
    ([height, width]) =>
      (rows === undefined || height * tilesDown === rows) && (columns === undefined || width * tilesAcross === columns),
  );
  const best = found.reduce<[number, number] | undefined>((one, two) => {
    // The nearer to a square, the higher is the efficiency that rows and columns leave.
    const skew = ([height, width]: [number, number]) => Math.abs(height - width);
    const isLine = ([height, width]: [number, number]) => height === 1 || width === 1;
    return one === undefined || (isLine(one) && !isLine(two)) || skew(two) < skew(one) ? two : one;
  }, undefined);
  if (best === undefined || best[0] < 2 || best[1] < 2) throw shapeError(request.field, { size, v, r, kind });
  return { rows: best[0], columns: best[1], down: tilesDown, across: tilesAcross };
}

/** All rectangles of so many cells. */
const rectangles = (size: number): [number, number][] =>
  Number.isInteger(size)
    ? Array.from({ length: size }, (_, i) => i + 1).flatMap((height): [number, number][] =>
        size % height === 0 ? [[height, size / height]] : [],
      )
    : [];

function shapeError(
  { rows, columns }: { rows?: number; columns?: number },
  { size, v, r, kind }: { size: number; v: number; r: number; kind: string },
): DesignError {
  const field = rows === undefined && columns === undefined ? '' : ` in a field of ${rows ?? '?'} × ${columns ?? '?'}`;
  const whole = rectangles(size).filter(([height, width]) => height > 1 && width > 1);
  const how = kind === 'both' ? `${r} × ${r} equal rectangles` : 'a rectangle of at least two rows and columns';
  const fits = whole.slice(0, 4).map(([height, width]) => {
    const [down, across] = kind === 'both' ? [r, r] : kind === 'rows' ? [r, 1] : [1, r];
    return `${height * down} × ${width * across}`;
  });
  return new DesignError(
    'field-shape',
    `${v} entries with ${r} replicates do not make ${how}${field}.`,
    fits.length === 0
      ? 'Add or remove entries, or choose alpha or p-rep.'
      : `Fields that fit: ${fits.join(', ')}. Or choose --resolvable rows or columns, or another design.`,
  );
}
