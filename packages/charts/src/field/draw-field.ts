import type { ChartColors } from '../chart-colors.ts';
import { FONT_FAMILY } from '../font.ts';
import type { CellRange, Edge, FieldGrid } from './field-grid.ts';
import { AXIS_PX, type FieldView, type MapSize } from './field-view.ts';

/** What changes with every movement of the pointer: maps follow it without React. */
export interface FieldState {
  view: FieldView | undefined;
  /** The plot below the pointer or the keyboard's place. */
  plot: number | undefined;
  brush: CellRange | undefined;
  /** The plot that is to change places with another. */
  held: number | undefined;
}

/** What a map is drawn from, beside the state that changes with every movement. */
export interface DrawnField {
  grid: FieldGrid;
  /** One pixel a cell. */
  picture: HTMLCanvasElement;
  /** Veils what is not selected; absent where nothing is. */
  veil: HTMLCanvasElement | undefined;
  edges: readonly Edge[];
  /** Plots with a ring: their residuals are too large. */
  marked: readonly number[];
  /** Plots with a cross: they are set aside. */
  crossed: readonly number[];
  /** Written on plots that have room for it. */
  labelOf?: ((plot: number) => string) | undefined;
  colors: ChartColors;
}

/** Smaller cells have no lines between them. */
const LINES_FROM_PX = 5;
const MARKS_FROM_PX = 3;
const LABEL_EVERY_PX = 26;
/** Plots with room for what is written on them. */
const WRITTEN_FROM_PX = { width: 30, height: 13 };

/** Pixels as a picture of one pixel a cell. */
export function cellPicture(pixels: Uint8ClampedArray<ArrayBuffer>, grid: FieldGrid): HTMLCanvasElement {
  const picture = document.createElement('canvas');
  picture.width = Math.max(1, grid.columns);
  picture.height = Math.max(1, grid.rows);
  if (pixels.length > 0) picture.getContext('2d')?.putImageData(new ImageData(pixels, grid.columns, grid.rows), 0, 0);
  return picture;
}

const VEIL_OPACITY = 190;

/** The ground of the page over plots that are not selected. */
export function veilOver(
  grid: FieldGrid,
  isSelected: (plot: number) => boolean,
  colors: ChartColors,
): HTMLCanvasElement {
  const ground = Number.parseInt(colors.ground.slice(1), 16);
  const pixels = new Uint8ClampedArray(4 * grid.plotAt.length);
  for (const [cell, plot] of grid.plotAt.entries()) {
    if (plot >= 0 && !isSelected(plot))
      pixels.set([(ground >> 16) & 255, (ground >> 8) & 255, ground & 255, VEIL_OPACITY], 4 * cell);
  }
  return cellPicture(pixels, grid);
}

/** One map: the plots that are in view, what is marked, and the numbers of rows and columns. */
export function drawField(
  context: CanvasRenderingContext2D,
  size: MapSize,
  field: DrawnField,
  { view, plot, brush, held }: FieldState,
): void {
  if (view === undefined) return;
  const { grid, colors } = field;
  context.clearRect(0, 0, size.width, size.height);
  context.save();
  context.beginPath();
  context.rect(AXIS_PX.left, AXIS_PX.top, size.width - AXIS_PX.left, size.height - AXIS_PX.top);
  context.clip();
  context.imageSmoothingEnabled = false;
  const [width, height] = [grid.columns * view.cellWidth, grid.rows * view.cellHeight];
  context.drawImage(field.picture, view.left, view.top, width, height);
  if (field.veil) context.drawImage(field.veil, view.left, view.top, width, height);
  if (view.cellWidth >= LINES_FROM_PX) drawLines(context, size, grid, view, colors.ground);
  drawEdges(context, field.edges, view, colors.text);
  drawLabels(context, size, field, view);
  drawMarks(context, size, field, view);
  if (brush) {
    const x = view.left + brush.fromColumn * view.cellWidth;
    const y = view.top + brush.fromRow * view.cellHeight;
    outline(context, colors, [
      ...[x, y, (brush.toColumn - brush.fromColumn + 1) * view.cellWidth],
      (brush.toRow - brush.fromRow + 1) * view.cellHeight,
    ] as [number, number, number, number]);
  }
  if (held !== undefined) outline(context, colors, cellBox(grid.cellOf[held] ?? 0, grid, view));
  if (plot !== undefined) outline(context, colors, cellBox(grid.cellOf[plot] ?? 0, grid, view));
  context.restore();
  drawNumbers(context, size, grid, view, colors);
}

function cellBox(cell: number, grid: FieldGrid, view: FieldView): [number, number, number, number] {
  const x = view.left + (cell % grid.columns) * view.cellWidth;
  const y = view.top + Math.floor(cell / grid.columns) * view.cellHeight;
  return [x, y, view.cellWidth, view.cellHeight];
}

/** Dark within light, so that it is seen on every colour. */
function outline(context: CanvasRenderingContext2D, colors: ChartColors, box: [number, number, number, number]): void {
  const [x, y, width, height] = box;
  context.lineWidth = 3.5;
  context.strokeStyle = colors.ground;
  context.strokeRect(x, y, width, height);
  context.lineWidth = 1.5;
  context.strokeStyle = colors.text;
  context.strokeRect(x, y, width, height);
}

/** The first and the last cell of an axis that are in view. */
function seen(start: number, cell: number, count: number, from: number, end: number): [first: number, last: number] {
  return [Math.max(0, Math.floor((from - start) / cell)), Math.min(count - 1, Math.floor((end - start) / cell))];
}

function drawLines(
  context: CanvasRenderingContext2D,
  size: MapSize,
  grid: FieldGrid,
  view: FieldView,
  color: string,
): void {
  context.fillStyle = color;
  const [left, right] = seen(view.left, view.cellWidth, grid.columns, AXIS_PX.left, size.width);
  for (let column = left; column <= right + 1; column++)
    context.fillRect(Math.round(view.left + column * view.cellWidth) - 0.5, AXIS_PX.top, 1, size.height);
  const [top, bottom] = seen(view.top, view.cellHeight, grid.rows, AXIS_PX.top, size.height);
  for (let row = top; row <= bottom + 1; row++)
    context.fillRect(AXIS_PX.left, Math.round(view.top + row * view.cellHeight) - 0.5, size.width, 1);
}

function drawEdges(context: CanvasRenderingContext2D, edges: readonly Edge[], view: FieldView, color: string): void {
  context.beginPath();
  for (const [x1, y1, x2, y2] of edges) {
    context.moveTo(view.left + x1 * view.cellWidth, view.top + y1 * view.cellHeight);
    context.lineTo(view.left + x2 * view.cellWidth, view.top + y2 * view.cellHeight);
  }
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.stroke();
}

/** What stands on the plots in view, within their width, with the ground around the letters. */
function drawLabels(
  context: CanvasRenderingContext2D,
  size: MapSize,
  { grid, labelOf, colors }: DrawnField,
  view: FieldView,
): void {
  if (!labelOf || view.cellWidth < WRITTEN_FROM_PX.width || view.cellHeight < WRITTEN_FROM_PX.height) return;
  context.font = `11px ${FONT_FAMILY}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.strokeStyle = colors.ground;
  context.lineWidth = 3.5;
  context.lineJoin = 'round';
  context.fillStyle = colors.text;
  const room = view.cellWidth - 4;
  const [left, right] = seen(view.left, view.cellWidth, grid.columns, AXIS_PX.left, size.width);
  const [top, bottom] = seen(view.top, view.cellHeight, grid.rows, AXIS_PX.top, size.height);
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const cell = row * grid.columns + column;
      const plot = grid.plotAt[cell] ?? -1;
      if (plot < 0) continue;
      const text = shortened(context, labelOf(plot), room);
      const [x, y, width, height] = cellBox(cell, grid, view);
      context.strokeText(text, x + width / 2, y + height / 2);
      context.fillText(text, x + width / 2, y + height / 2);
    }
  }
}

/** As much of a text as there is room for. */
function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  return `${text.slice(0, Math.max(1, Math.floor((text.length * room) / width) - 1))}…`;
}

/** Rings around what looks wrong, crosses over what is set aside. */
function drawMarks(context: CanvasRenderingContext2D, size: MapSize, field: DrawnField, view: FieldView): void {
  const { grid, marked, crossed, colors } = field;
  if (view.cellWidth < MARKS_FROM_PX) return;
  const radius = Math.max(3, Math.min(view.cellWidth, view.cellHeight) * 0.32);
  const path = (plots: readonly number[], shape: (x: number, y: number) => void): void => {
    context.beginPath();
    for (const plot of plots) {
      const [x, y, width, height] = cellBox(grid.cellOf[plot] ?? 0, grid, view);
      if (x > size.width || y > size.height) continue;
      shape(x + width / 2, y + height / 2);
    }
    for (const [color, width] of [
      [colors.ground, 4],
      [colors.text, 1.75],
    ] as const) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke();
    }
  };
  path(marked, (x, y) => {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  });
  path(crossed, (x, y) => {
    const arm = radius * 0.8;
    context.moveTo(x - arm, y - arm);
    context.lineTo(x + arm, y + arm);
    context.moveTo(x + arm, y - arm);
    context.lineTo(x - arm, y + arm);
  });
}

/** How many cells apart the numbers stand: 1, 2, 5, 10, … */
function stepOf(cell: number): number {
  for (let power = 1; ; power *= 10) {
    const step = [1, 2, 5].map((one) => one * power).find((one) => one * cell >= LABEL_EVERY_PX);
    if (step !== undefined) return step;
  }
}

function drawNumbers(
  context: CanvasRenderingContext2D,
  size: MapSize,
  grid: FieldGrid,
  view: FieldView,
  colors: ChartColors,
): void {
  context.fillStyle = colors.muted;
  context.font = `11px ${FONT_FAMILY}`;
  context.textBaseline = 'middle';
  const axis = (
    { first, start, cell, count, from, end }: Record<'first' | 'start' | 'cell' | 'count' | 'from' | 'end', number>,
    write: (text: string, at: number) => void,
  ): void => {
    const step = stepOf(cell);
    const [low, high] = seen(start, cell, count, from, end);
    for (let place = low; place <= high; place++) {
      const at = start + (place + 0.5) * cell;
      const isMarked = place === 0 ? step === 1 : (first + place) % step === 0;
      if (isMarked && at >= from && at <= end) write(String(first + place), at);
    }
  };
  context.textAlign = 'center';
  axis(
    {
      ...{ first: grid.firstColumn, start: view.left, cell: view.cellWidth, count: grid.columns },
      ...{ from: AXIS_PX.left, end: size.width },
    },
    (text, at) => context.fillText(text, at, AXIS_PX.top / 2),
  );
  context.textAlign = 'right';
  // Beside the field, where it is narrower than the map.
  const beside = Math.max(AXIS_PX.left, view.left) - 6;
  axis(
    {
      ...{ first: grid.firstRow, start: view.top, cell: view.cellHeight, count: grid.rows },
      ...{ from: AXIS_PX.top, end: size.height },
    },
    (text, at) => context.fillText(text, beside, at),
  );
}
