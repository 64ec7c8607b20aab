import type { CellRange, FieldGrid } from './field-grid.ts';

/** The part of a field that is seen. All maps of a field have one view. */
export interface FieldView {
  /** Width and height of a cell in pixels. */
  cellWidth: number;
  cellHeight: number;
  /** Where the corner of the field stands, from the corner of the map. */
  left: number;
  top: number;
}

export interface MapSize {
  width: number;
  height: number;
}

/** Room for the numbers of rows and columns. */
export const AXIS_PX = { left: 30, top: 18 };

/**
 * Where it is not known how long and wide plots are, they are drawn as squares, unless the field would be a band: then
 * up to three times as long as wide.
 */
const BAND = { flat: 0.45, high: 1.1 };
const LONGEST_PLOT = 3;
/** Of plots whose length and width are known. */
const LONGEST_KNOWN = 8;

/** Height over width of a plot. */
function plotShape({ rows, columns, plotShape: known }: FieldGrid): number {
  if (known !== undefined) return Math.min(LONGEST_KNOWN, Math.max(1 / LONGEST_KNOWN, known));
  const field = rows / columns;
  const wanted = field < BAND.flat ? BAND.flat / field : field > BAND.high ? BAND.high / field : 1;
  return Math.min(LONGEST_PLOT, Math.max(1 / LONGEST_PLOT, wanted));
}

const HEIGHT_PX = { least: 120, most: 460 };

/** Height of a map that shows the whole field in a given width. */
export function mapHeight(grid: FieldGrid, width: number): number {
  const cell = (width - AXIS_PX.left) / Math.max(1, grid.columns);
  const height = AXIS_PX.top + cell * plotShape(grid) * grid.rows;
  return Math.round(Math.min(HEIGHT_PX.most, Math.max(HEIGHT_PX.least, height)));
}

/** The whole field in the middle of a map. */
export function wholeField(grid: FieldGrid, size: MapSize): FieldView {
  const shape = plotShape(grid);
  const [width, height] = [size.width - AXIS_PX.left, size.height - AXIS_PX.top];
  const cellWidth = Math.max(
    0.5,
    Math.min(width / Math.max(1, grid.columns), height / (shape * Math.max(1, grid.rows))),
  );
  const cellHeight = cellWidth * shape;
  return {
    cellWidth,
    cellHeight,
    left: AXIS_PX.left + Math.max(0, (width - cellWidth * grid.columns) / 2),
    top: AXIS_PX.top,
  };
}

const LARGEST_CELL_PX = 60;

/** Larger or smaller around a place that stays where it is; never smaller than the whole field. */
export function zoomed(
  view: FieldView,
  { factor, x, y }: { factor: number; x: number; y: number },
  grid: FieldGrid,
  size: MapSize,
): FieldView {
  const whole = wholeField(grid, size);
  const largest = Math.max(LARGEST_CELL_PX, whole.cellWidth);
  const cellWidth = Math.min(largest, Math.max(whole.cellWidth, view.cellWidth * factor));
  const by = cellWidth / view.cellWidth;
  return held(
    {
      cellWidth,
      cellHeight: view.cellHeight * by,
      left: x - (x - view.left) * by,
      top: y - (y - view.top) * by,
    },
    grid,
    size,
  );
}

export const moved = (view: FieldView, dx: number, dy: number, grid: FieldGrid, size: MapSize): FieldView =>
  held({ ...view, left: view.left + dx, top: view.top + dy }, grid, size);

/** The field does not leave the map. */
function held(view: FieldView, grid: FieldGrid, size: MapSize): FieldView {
  const hold = (at: number, length: number, from: number, end: number): number => {
    const room = end - from;
    if (length <= room) return from + (room - length) / 2;
    return Math.min(from, Math.max(end - length, at));
  };
  const height = view.cellHeight * grid.rows;
  return {
    ...view,
    left: hold(view.left, view.cellWidth * grid.columns, AXIS_PX.left, size.width),
    top: height <= size.height - AXIS_PX.top ? AXIS_PX.top : hold(view.top, height, AXIS_PX.top, size.height),
  };
}

/** So that a plot is seen that the keyboard has reached. */
export function showing(view: FieldView, cell: number, grid: FieldGrid, size: MapSize): FieldView {
  const x = view.left + (cell % grid.columns) * view.cellWidth;
  const y = view.top + Math.floor(cell / grid.columns) * view.cellHeight;
  const into = (at: number, length: number, from: number, end: number): number =>
    at < from ? from - at : at + length > end ? end - at - length : 0;
  return moved(
    view,
    into(x, view.cellWidth, AXIS_PX.left, size.width),
    into(y, view.cellHeight, AXIS_PX.top, size.height),
    grid,
    size,
  );
}

/** The cell below a place of a map; undefined beside the field. */
export function cellAt(view: FieldView, x: number, y: number, grid: FieldGrid): number | undefined {
  if (x < AXIS_PX.left || y < AXIS_PX.top) return undefined;
  const column = Math.floor((x - view.left) / view.cellWidth);
  const row = Math.floor((y - view.top) / view.cellHeight);
  const isInside = row >= 0 && row < grid.rows && column >= 0 && column < grid.columns;
  return isInside ? row * grid.columns + column : undefined;
}

/** The cells that a rectangle on a map touches. */
export function cellsBetween(view: FieldView, from: { x: number; y: number }, to: { x: number; y: number }): CellRange {
  const column = (x: number): number => Math.floor((x - view.left) / view.cellWidth);
  const row = (y: number): number => Math.floor((y - view.top) / view.cellHeight);
  return {
    fromColumn: column(Math.min(from.x, to.x)),
    toColumn: column(Math.max(from.x, to.x)),
    fromRow: row(Math.min(from.y, to.y)),
    toRow: row(Math.max(from.y, to.y)),
  };
}
