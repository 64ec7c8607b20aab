/** Where the plots of a trial stand: numbers of rows and columns as the breeder counts them. */
export interface FieldPlaces {
  row: readonly number[];
  column: readonly number[];
  /** Length over width of a plot, where they are known. */
  plotShape?: number | undefined;
}

/** The rectangle around the plots; cells without a plot are holes. */
export interface FieldGrid {
  firstRow: number;
  firstColumn: number;
  rows: number;
  columns: number;
  /** Cell of each plot, counted along rows from the first one. */
  cellOf: Int32Array;
  /** Plot in each cell, −1 in a hole. */
  plotAt: Int32Array;
  plotShape: number | undefined;
}

/** A rectangle of cells, both ends included. */
export interface CellRange {
  fromRow: number;
  toRow: number;
  fromColumn: number;
  toColumn: number;
}

const leastOf = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Infinity);
const mostOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity);

export function fieldGrid({ row, column, plotShape }: FieldPlaces): FieldGrid {
  if (row.length === 0) return { firstRow: 1, firstColumn: 1, rows: 0, columns: 0, ...empty(), plotShape };
  const [firstRow, firstColumn] = [leastOf(row), leastOf(column)];
  const rows = mostOf(row) - firstRow + 1;
  const columns = mostOf(column) - firstColumn + 1;
  const plotAt = new Int32Array(rows * columns).fill(-1);
  const cellOf = Int32Array.from(row, (at, plot) => (at - firstRow) * columns + ((column[plot] ?? 0) - firstColumn));
  for (const [plot, cell] of cellOf.entries()) plotAt[cell] = plot;
  return { firstRow, firstColumn, rows, columns, cellOf, plotAt, plotShape };
}

const empty = () => ({ cellOf: new Int32Array(), plotAt: new Int32Array() });

/** The plots that stand in a rectangle, row by row. */
export function plotsIn(grid: FieldGrid, { fromRow, toRow, fromColumn, toColumn }: CellRange): number[] {
  const plots: number[] = [];
  for (let row = Math.max(0, fromRow); row <= Math.min(grid.rows - 1, toRow); row++) {
    for (let column = Math.max(0, fromColumn); column <= Math.min(grid.columns - 1, toColumn); column++) {
      const plot = grid.plotAt[row * grid.columns + column] ?? -1;
      if (plot >= 0) plots.push(plot);
    }
  }
  return plots;
}

/** Values of plots in the order of cells; null in holes and where there is none. */
export function byCell(grid: FieldGrid, values: readonly (number | null)[]): (number | null)[] {
  return Array.from(grid.plotAt, (plot) => (plot < 0 ? null : (values[plot] ?? null)));
}

/** An edge between two cells, in cells from the corner of the field. */
export type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

/** The edges between neighbours of different groups (replicates); a longer line is one edge. */
export function groupEdges(grid: FieldGrid, groupOf: (plot: number) => unknown): Edge[] {
  const { rows, columns, plotAt } = grid;
  const differs = (one: number, other: number): boolean => {
    const [a = -1, b = -1] = [plotAt[one], plotAt[other]];
    return a >= 0 && b >= 0 && groupOf(a) !== groupOf(b);
  };
  const edges: Edge[] = [];
  for (let row = 1; row < rows; row++) {
    runs(columns, (column) => differs((row - 1) * columns + column, row * columns + column)).forEach(([from, to]) =>
      edges.push([from, row, to, row]),
    );
  }
  for (let column = 1; column < columns; column++) {
    runs(rows, (row) => differs(row * columns + column - 1, row * columns + column)).forEach(([from, to]) =>
      edges.push([column, from, column, to]),
    );
  }
  return edges;
}

/** Where a condition holds without a gap: beginnings and ends. */
function runs(length: number, holds: (at: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < length; at++) {
    if (!holds(at)) continue;
    const from = at;
    while (at + 1 < length && holds(at + 1)) at++;
    found.push([from, at + 1]);
  }
  return found;
}
