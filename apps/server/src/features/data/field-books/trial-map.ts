import { type Area, BLACK, GREY, type Pdf, printLine, RULE } from '../../../platform/pdf/pdf-document.ts';
import { printHeading } from '../../../platform/pdf/pdf-table.ts';
import type { PrintedPlot, PrintedTrial } from './printed-trial.ts';

/** Tints of the colours of Okabe & Ito (2008), which remain apart for colour-blind people; text stays readable. */
const TINTS = ['#cfe8f7', '#fde3b8', '#c9ebde', '#f9d5c1', '#f1dbe8', '#f8f4bd', '#c9dcea', '#e3e3e3'];
const FILLER = '#bdbdbd';

/** Points of the smallest cell in which a number of a plot can be read. */
const READABLE = { width: 21, height: 12 };
/** Of one in which the name of a line can be read too. */
const NAMED = { width: 60, height: 26 };
const LARGEST = 90;
const AXIS = 20;
const LEGEND = 22;

interface PlacedPlot extends PrintedPlot {
  row: number;
  column: number;
}

/** Rows and columns of the map from the first to the last one of a page. */
interface Tile {
  rows: [number, number];
  columns: [number, number];
}

const isPlaced = (plot: PrintedPlot): plot is PlacedPlot => plot.row !== null && plot.column !== null;

/**
 * The map of the layout, to scale where the size of plots is known. When the numbers of plots could not be read there,
 * pages with parts of it follow, not to scale. Colours are replicates; checks have a thick frame and a black corner, or
 * are black where nothing is written, so that they are found in black and white. Prints nothing when no plot has a
 * place.
 */
export function printMap(pdf: Pdf, { trial, plots }: PrintedTrial): void {
  const placed = plots.filter(isPlaced);
  const [first] = placed;
  if (first === undefined) return;
  const whole = extentOf(placed, first);
  const { plot_width_m: wide, plot_length_m: long } = trial;
  const isScaled = wide !== null && long !== null;
  const aspect = isScaled ? wide / long : 2;
  const note = isScaled ? `Plots of ${wide} m × ${long} m, to scale.` : 'Not to scale: the size of plots is not known.';
  const [upright, lying] = [
    cellIn(roomOf(pdf.areaOf('upright')), whole, aspect),
    cellIn(roomOf(pdf.areaOf('landscape')), whole, aspect),
  ];
  const shape = upright.width >= lying.width ? 'upright' : 'landscape';
  const cell = shape === 'upright' ? upright : lying;
  printTile(pdf, placed, { shape, tile: whole, cell, title: `Map of ${trial.name}`, note });
  if (cell.width >= READABLE.width && cell.height >= READABLE.height) return;
  const room = roomOf(pdf.areaOf('landscape'));
  const [across, down] = [Math.floor(room.width / READABLE.width), Math.floor(room.height / READABLE.height)];
  for (const tile of tilesOf(whole, across, down))
    printTile(pdf, placed, {
      ...{ shape: 'landscape', tile, note: 'Not to scale.' },
      // Parts of one map have cells of one size.
      cell: {
        width: Math.min(room.width / Math.min(across, countOf(whole.columns)), NAMED.width),
        height: Math.min(room.height / Math.min(down, countOf(whole.rows)), NAMED.height),
      },
      title: `${trial.name}, rows ${tile.rows.join('–')}, columns ${tile.columns.join('–')}`,
    });
}

function extentOf(placed: readonly PlacedPlot[], first: PlacedPlot): Tile {
  const tile: Tile = { rows: [first.row, first.row], columns: [first.column, first.column] };
  for (const { row, column } of placed) {
    tile.rows = [Math.min(tile.rows[0], row), Math.max(tile.rows[1], row)];
    tile.columns = [Math.min(tile.columns[0], column), Math.max(tile.columns[1], column)];
  }
  return tile;
}

const countOf = ([from, to]: [number, number]): number => to - from + 1;

const roomOf = ({ width, height }: Area): { width: number; height: number } => ({
  width: width - AXIS,
  height: height - 45 - AXIS - LEGEND,
});

function cellIn(room: { width: number; height: number }, { rows, columns }: Tile, aspect: number) {
  const width = Math.min(room.width / countOf(columns), (room.height / countOf(rows)) * aspect, LARGEST);
  const height = width / aspect;
  return height <= LARGEST ? { width, height } : { width: LARGEST * aspect, height: LARGEST };
}

/** Parts of nearly one size, none larger than a page. */
function tilesOf({ rows, columns }: Tile, across: number, down: number): Tile[] {
  return inParts(rows, down).flatMap((some) => inParts(columns, across).map((few) => ({ rows: some, columns: few })));
}

function inParts([from, to]: [number, number], most: number): [number, number][] {
  const count = to - from + 1;
  const parts = Math.ceil(count / most);
  const edge = (part: number): number => from + Math.round((part * count) / parts);
  return Array.from({ length: parts }, (_, part) => [edge(part), edge(part + 1) - 1]);
}

interface TilePage {
  shape: 'upright' | 'landscape';
  tile: Tile;
  cell: { width: number; height: number };
  title: string;
  note: string;
}

function printTile(pdf: Pdf, placed: readonly PlacedPlot[], { shape, tile, cell, title, note }: TilePage): void {
  pdf.addPage(shape);
  const { doc, area } = pdf;
  const top = printHeading(pdf, title, [note]) + AXIS;
  const left = area.left + AXIS;
  const [{ rows, columns }, { width, height }] = [tile, cell];
  const x = (column: number): number => left + (column - columns[0]) * width;
  const y = (row: number): number => top + (row - rows[0]) * height;
  printAxes(pdf, { tile, cell, x, y });
  const shown = placed.filter(
    ({ row, column }) => row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1],
  );
  const isWritten = width >= READABLE.width && height >= READABLE.height;
  for (const plot of shown) fillCell(doc, plot, { x: x(plot.column), y: y(plot.row), width, height, isWritten });
  printReplicateBorders(doc, shown, { x, y });
  if (isWritten) for (const plot of shown) writeCell(doc, plot, { x: x(plot.column), y: y(plot.row), width, height });
  printLegend(pdf, placed, { y: y(rows[1]) + height + 8, isWritten });
}

interface Scale {
  x: (column: number) => number;
  y: (row: number) => number;
}

function printAxes({ doc }: Pdf, { tile: { rows, columns }, cell, x, y }: Scale & Pick<TilePage, 'tile' | 'cell'>) {
  const size = 7;
  doc.fillColor(GREY);
  // As many numbers as stand beside one another without touching.
  const each = (room: number, needed: number): number => Math.max(1, Math.ceil(needed / room));
  for (let column = columns[0]; column <= columns[1]; column += each(cell.width, 16))
    printLine(doc, String(column), {
      x: x(column),
      y: y(rows[0]) - 11,
      width: Math.max(cell.width, 16),
      size,
      align: 'center',
    });
  for (let row = rows[0]; row <= rows[1]; row += each(cell.height, 9))
    printLine(doc, String(row), {
      ...{ x: x(columns[0]) - AXIS, y: y(row) + cell.height / 2 - size * 0.6 },
      ...{ width: AXIS - 4, size, align: 'right' },
    });
}

interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

const tintOf = (replicate: number | null): string =>
  replicate === null ? '#ffffff' : (TINTS[(replicate - 1) % TINTS.length] ?? '#ffffff');

interface FilledCell extends Cell {
  /** It has room for a number. */
  isWritten: boolean;
}

function fillCell(
  doc: PDFKit.PDFDocument,
  { kind, replicate }: PlacedPlot,
  { x, y, width, height, isWritten }: FilledCell,
): void {
  const fill = kind === 'FILLER' ? FILLER : kind === 'BORDER' ? '#ffffff' : tintOf(replicate);
  doc.lineWidth(0.4);
  doc.rect(x, y, width, height).fillAndStroke(kind === 'CHECK' && !isWritten ? BLACK : fill, RULE);
  if (kind !== 'CHECK' || !isWritten) return;
  const inset = Math.min(0.8, width / 10);
  doc.lineWidth(inset * 2).strokeColor(BLACK);
  doc.rect(x + inset, y + inset, width - 2 * inset, height - 2 * inset).stroke();
  const corner = Math.min(width, height) * 0.45;
  doc
    .moveTo(x + width, y)
    .lineTo(x + width, y + corner)
    .lineTo(x + width - corner, y)
    .fill(BLACK);
}

function writeCell(doc: PDFKit.PDFDocument, plot: PlacedPlot, { x, y, width, height }: Cell): void {
  const { number, entry, kind } = plot;
  const size = Math.min(9, height * 0.55, width * 0.33);
  const nameSize = Math.min(7.5, height * 0.25);
  const hasName = entry !== null && nameSize >= 4.5 && width >= 28;
  const top = y + (height - (size + (hasName ? nameSize : 0)) * 1.25) / 2;
  const font = kind === 'CHECK' ? 'bold' : 'regular';
  doc.fillColor(kind === 'FILLER' || kind === 'BORDER' ? GREY : BLACK);
  printLine(doc, String(number), { x: x + 1.5, y: top, width: width - 3, size, font, align: 'center' });
  if (hasName)
    printLine(doc, entry, {
      ...{ x: x + 1.5, y: top + size * 1.25, width: width - 3 },
      ...{ size: nameSize, smallest: 4, font, align: 'center' },
    });
}

/** Thick lines between neighbours of different replicates. */
function printReplicateBorders(doc: PDFKit.PDFDocument, placed: readonly PlacedPlot[], { x, y }: Scale): void {
  const at = new Map(placed.map((plot) => [`${plot.row},${plot.column}`, plot.replicate]));
  doc.lineWidth(1.6).strokeColor(BLACK);
  for (const { row, column, replicate } of placed) {
    if (replicate === null) continue;
    const differs = (other: number | null | undefined): boolean =>
      other !== undefined && other !== null && other !== replicate;
    if (differs(at.get(`${row},${column + 1}`)))
      doc
        .moveTo(x(column + 1), y(row))
        .lineTo(x(column + 1), y(row + 1))
        .stroke();
    if (differs(at.get(`${row + 1},${column}`)))
      doc
        .moveTo(x(column), y(row + 1))
        .lineTo(x(column + 1), y(row + 1))
        .stroke();
  }
}

function printLegend(
  pdf: Pdf,
  placed: readonly PlacedPlot[],
  { y, isWritten }: { y: number; isWritten: boolean },
): void {
  const { doc, area } = pdf;
  const replicates = [...new Set(placed.flatMap(({ replicate }) => (replicate === null ? [] : [replicate])))];
  const kinds = new Set(placed.map(({ kind }) => kind));
  const sample = { row: 0, column: 0, replicate: null } as PlacedPlot;
  const items: { label: string; plot: PlacedPlot }[] = [
    // Beyond the tints the lines between replicates tell them apart.
    ...replicates
      .sort((a, b) => a - b)
      .slice(0, TINTS.length)
      .map((replicate) => ({
        label: `replicate ${replicate}`,
        plot: { ...sample, kind: 'ENTRY' as const, replicate },
      })),
    ...(['CHECK', 'FILLER', 'BORDER'] as const)
      .filter((kind) => kinds.has(kind))
      .map((kind) => ({ label: kind.toLowerCase(), plot: { ...sample, kind } })),
  ];
  let x = area.left + AXIS;
  for (const { label, plot } of items) {
    fillCell(doc, plot, { x, y, width: 16, height: 11, isWritten });
    doc.fillColor(BLACK);
    printLine(doc, label, { x: x + 20, y: y + 1, width: 70, size: 7.5 });
    x += 20 + doc.widthOfString(label) + 14;
  }
}
