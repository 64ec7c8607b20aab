import { DesignError } from './design-error.ts';
import type { FieldRequest, GridPlace } from './design-types.ts';

/** A plot of the field by its place in the walk: rows are walked one after the other, every second one backwards. */
export interface WalkedCell {
  /** From 0, in the order of the walk; on the map they may be columns, or counted from another corner. */
  row: number;
  column: number;
}

/** A field as it is walked. All designs are made for it; `toMap` turns them into the map. */
export interface Field {
  /** Rows of the walk, and plots in each. */
  rows: number;
  columns: number;
  /** Without holes and borders. */
  cells: WalkedCell[];
  borders: WalkedCell[];
  isHole(cell: WalkedCell): boolean;
  toMap(cell: WalkedCell): GridPlace;
  fromMap(place: GridPlace): WalkedCell;
}

/** Rows and columns of a design for a field of which nothing is said, or one side. */
export interface FieldShape {
  /** Plots of the design. */
  plots: number;
  /** Plots that should fill whole rows of the walk: those of a replicate; the whole field where there is none. */
  band: number;
  /** Plots that should lie in one row: those of a block. */
  unit: number;
}

/** Most plots of one field. */
const MOST_PLOTS = 100_000;

/**
 * Lays out a field: takes its sides or finds them from the design, leaves out holes and borders, and orders the cells.
 *
 * @throws DesignError `field-too-small`, `field-shape`
 */
export function layOutField(request: FieldRequest, shape: FieldShape): Field {
  const isAlongRows = request.along === 'rows';
  const border = {
    rows: request.borders === 'rows' || request.borders === 'all' ? 1 : 0,
    columns: request.borders === 'columns' || request.borders === 'all' ? 1 : 0,
  };
  const size = sizeOnMap(request, shape, border);
  const rows = isAlongRows ? size.rows : size.columns;
  const columns = isAlongRows ? size.columns : size.rows;
  const isFlippedDown = request.start.startsWith('bottom');
  const isFlippedAcross = request.start.endsWith('right');
  const turn = (place: GridPlace): GridPlace => ({
    row: isFlippedDown ? size.rows + 1 - place.row : place.row,
    column: isFlippedAcross ? size.columns + 1 - place.column : place.column,
  });
  const toMap = ({ row, column }: WalkedCell): GridPlace =>
    turn(isAlongRows ? { row: row + 1, column: column + 1 } : { row: column + 1, column: row + 1 });
  const fromMap = (place: GridPlace): WalkedCell => {
    const { row, column } = turn(place);
    return isAlongRows ? { row: row - 1, column: column - 1 } : { row: column - 1, column: row - 1 };
  };
  const holes = new Set(request.holes.map((hole) => keyOf(fromMap(hole), columns)));
  const outside = request.holes.find(({ row, column }) => row > size.rows || column > size.columns);
  if (outside !== undefined) {
    throw new DesignError(
      'field-shape',
      `The hole at row ${outside.row}, column ${outside.column} lies outside of the field of ${sides(size)}.`,
      'Correct the hole, or give the field more rows or columns.',
    );
  }
  const isBorder = (cell: WalkedCell): boolean => {
    const { row, column } = toMap(cell);
    return (
      (border.rows > 0 && (row === 1 || row === size.rows)) ||
      (border.columns > 0 && (column === 1 || column === size.columns))
    );
  };
  const isHole = (cell: WalkedCell) => holes.has(keyOf(cell, columns));
  const walked = walk(rows, columns, true).filter((cell) => !isHole(cell));
  const cells = walked.filter((cell) => !isBorder(cell));
  if (cells.length < shape.plots) {
    throw new DesignError(
      'field-too-small',
      `The design needs ${shape.plots} plots, and the field of ${sides(size)} has ${cells.length} for them.`,
      `Give it ${shape.plots - cells.length} plots more by further rows or columns, or take fewer entries or replicates.`,
    );
  }
  return { rows, columns, cells, borders: walked.filter(isBorder), isHole, toMap, fromMap };
}

const sides = ({ rows, columns }: { rows: number; columns: number }): string => `${rows} × ${columns}`;
const keyOf = ({ row, column }: WalkedCell, columns: number): number => row * columns + column;

/** All cells row by row, every second row backwards where the walk is a serpentine. */
export function walk(rows: number, columns: number, isSerpentine: boolean): WalkedCell[] {
  return Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    return { row, column: isSerpentine && row % 2 === 1 ? columns - 1 - column : column };
  });
}

function sizeOnMap(
  { rows, columns, holes, along }: FieldRequest,
  shape: FieldShape,
  border: { rows: number; columns: number },
): { rows: number; columns: number } {
  const inner = { rows: rows && rows - 2 * border.rows, columns: columns && columns - 2 * border.columns };
  if ((inner.rows ?? 1) < 1 || (inner.columns ?? 1) < 1) {
    throw new DesignError(
      'field-shape',
      'The borders leave no plot of the field.',
      'Give the field more rows or columns, or leave out the borders.',
    );
  }
  const wanted = shape.plots + holes.length;
  if (inner.rows === undefined && inner.columns === undefined) {
    const length = rowLength({ ...shape, plots: wanted });
    const count = Math.ceil(wanted / length);
    inner.rows = along === 'rows' ? count : length;
    inner.columns = along === 'rows' ? length : count;
  }
  const size = {
    rows: (inner.rows ?? Math.ceil(wanted / (inner.columns ?? 1))) + 2 * border.rows,
    columns: (inner.columns ?? Math.ceil(wanted / (inner.rows ?? 1))) + 2 * border.columns,
  };
  if (size.rows * size.columns > MOST_PLOTS) {
    throw new DesignError(
      'field-shape',
      `A field of ${sides(size)} has more than ${MOST_PLOTS} plots.`,
      'Divide the entries among several trials.',
    );
  }
  return size;
}

/** Plots in a row: whole blocks, whole rows in a replicate, and a field that is nearly square. */
function rowLength({ plots, band, unit }: FieldShape): number {
  let best = band;
  let bestSkew = Number.POSITIVE_INFINITY;
  for (let length = unit; length <= band; length += unit) {
    const rows = Math.ceil(plots / length);
    const isWhole = band % length === 0 || (band >= plots && rows * length - plots < Math.min(rows, length) / 4);
    const skew = Math.max(rows / length, length / rows) + (isWhole ? 0 : 1e6);
    if (skew < bestSkew) {
      best = length;
      bestSkew = skew;
    }
  }
  return best;
}

/**
 * Begins each stretch of cells (a replicate) in a row of its own where the field has room for that, and otherwise lets
 * one follow the other.
 *
 * @returns index of the first cell of each
 */
export function beginnings(field: Field, sizes: readonly number[]): number[] {
  const aligned: number[] = [];
  let next = 0;
  for (const size of sizes) {
    while (next > 0 && next < field.cells.length && field.cells[next].row === field.cells[next - 1].row) next++;
    aligned.push(next);
    next += size;
  }
  if (next <= field.cells.length) return aligned;
  let at = 0;
  return sizes.map((size) => {
    const first = at;
    at += size;
    return first;
  });
}

/** @throws DesignError `block-cut` when a hole parts the plots of a block */
export function requireWholeBlock(field: Field, cells: readonly WalkedCell[], name: string): void {
  const left = new Set(cells.map((cell) => keyOf(cell, field.columns)));
  const [first] = cells;
  if (first === undefined) return;
  const open = [first];
  left.delete(keyOf(first, field.columns));
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    for (const neighbour of neighboursOf(cell)) {
      if (neighbour.column < 0 || neighbour.column >= field.columns) continue;
      if (left.delete(keyOf(neighbour, field.columns))) open.push(neighbour);
    }
  }
  if (left.size === 0) return;
  const isInside = ({ row, column }: WalkedCell) => row >= 0 && column >= 0 && column < field.columns;
  const hole = cells.flatMap(neighboursOf).find((cell) => isInside(cell) && field.isHole(cell));
  const place = hole === undefined ? null : field.toMap(hole);
  throw new DesignError(
    'block-cut',
    `${place === null ? 'The shape of the field' : `The hole at row ${place.row}, column ${place.column}`} cuts ${name} in two.`,
    'Choose another block size or another direction of the walk (--along), or leave that row out of the field.',
  );
}

/** The four cells beside a cell. */
const neighboursOf = ({ row, column }: WalkedCell): WalkedCell[] => [
  { row: row - 1, column },
  { row: row + 1, column },
  { row, column: column - 1 },
  { row, column: column + 1 },
];
