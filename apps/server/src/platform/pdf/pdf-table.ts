import { BLACK, GREY, LINK, type Pdf, printLine, RULE, widthOf } from './pdf-document.ts';
import type { FontName } from './pdf-fonts.ts';

export interface PdfColumn {
  title: string;
  /** Numbers stand right. */
  align?: 'left' | 'right';
  /** Points; by default the width of its longest text, as far as the page has room. */
  width?: number;
  /** It takes the room that is left, if any. */
  stretches?: boolean;
}

export interface PdfTable {
  columns: readonly PdfColumn[];
  /** A cell a column. */
  rows: readonly (readonly string[])[];
  size?: number;
  /** Lines around each cell, for tables that are filled in by hand. */
  hasGrid?: boolean;
  rowHeight?: number;
  /** Rows printed on grey. */
  isShaded?: (row: number) => boolean;
  /** Where the first cell of a row leads. */
  linkOf?: (row: number) => string | undefined;
}

const PADDING = 3;
const SHADE = '#ececec';
const SMALLEST = 5.5;
/** Cells measured for the width of a column: enough for every trial, and a bound for the rest. */
const MEASURED_ROWS = 2000;

/**
 * Prints a table from `y` on, on as many pages as it needs, the heads again on each. Returns where it ends. Columns
 * without a width share what is left by their longest texts; what does not fit is cut with an ellipsis.
 */
export function printTable(pdf: Pdf, table: PdfTable, y: number): number {
  const { doc, area } = pdf;
  const { columns, rows, size = 8, hasGrid = false, rowHeight = size * 1.7, isShaded, linkOf } = table;
  const widths = widthsOf(pdf, table, size);
  const lefts = widths.map((_, c) => area.left + widths.slice(0, c).reduce((sum, width) => sum + width, 0));
  const right = area.left + widths.reduce((sum, width) => sum + width, 0);
  const bottom = area.top + area.height;
  const textTop = (top: number): number => top + (rowHeight - size * 1.21) / 2;

  const printHeads = (top: number): number => {
    for (const [c, { title, align = 'left' }] of columns.entries())
      printCell(pdf, title, { align, size, left: lefts[c] ?? 0, width: widths[c] ?? 0, y: textTop(top), font: 'bold' });
    doc.lineWidth(0.8).strokeColor(BLACK);
    doc
      .moveTo(area.left, top + rowHeight)
      .lineTo(right, top + rowHeight)
      .stroke();
    return top + rowHeight;
  };
  const closeGrid = (from: number, to: number): void => {
    if (!hasGrid || to === from) return;
    doc.lineWidth(0.4).strokeColor(RULE);
    for (const left of [...lefts, right]) doc.moveTo(left, from).lineTo(left, to).stroke();
  };

  doc.fillColor(BLACK);
  let top = printHeads(y);
  let gridTop = top;
  for (const [r, cells] of rows.entries()) {
    if (top + rowHeight > bottom) {
      closeGrid(gridTop, top);
      pdf.addPage();
      doc.fillColor(BLACK);
      top = printHeads(area.top);
      gridTop = top;
    }
    if (isShaded?.(r)) {
      doc.rect(area.left, top, right - area.left, rowHeight).fill(SHADE);
      doc.fillColor(BLACK);
    }
    const link = linkOf?.(r);
    for (const [c, { align = 'left' }] of columns.entries()) {
      const text = cells[c] ?? '';
      if (text === '') continue;
      if (link !== undefined) doc.fillColor(c === 0 ? LINK : BLACK);
      printCell(pdf, text, { align, size, left: lefts[c] ?? 0, width: widths[c] ?? 0, y: textTop(top) });
    }
    if (link !== undefined) doc.link(lefts[0] ?? 0, top, widths[0] ?? 0, rowHeight, link);
    top += rowHeight;
    doc.lineWidth(0.4).strokeColor(hasGrid ? RULE : SHADE);
    doc.moveTo(area.left, top).lineTo(right, top).stroke();
  }
  closeGrid(gridTop, top);
  return top;
}

interface CellPlace {
  align: 'left' | 'right';
  size: number;
  left: number;
  width: number;
  y: number;
  font?: FontName;
}

function printCell(pdf: Pdf, text: string, { align, size, left, width, y, font = 'regular' }: CellPlace): void {
  const place = { x: left + PADDING, y, width: width - 2 * PADDING };
  printLine(pdf.doc, text, { ...place, size, smallest: SMALLEST, font, align });
}

function widthsOf({ doc, area }: Pdf, { columns, rows }: PdfTable, size: number): number[] {
  const wanted = columns.map(({ title, width, align = 'left' }, c) => {
    if (width !== undefined) return width;
    let widest = widthOf(doc, title, { size, font: 'bold', align });
    for (const cells of rows.slice(0, MEASURED_ROWS))
      widest = Math.max(widest, widthOf(doc, cells[c] ?? '', { size, align }));
    return widest + 2 * PADDING + 1;
  });
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const free = wanted.reduce((sum, width) => sum + width, 0) - fixed;
  const room = area.width - fixed;
  if (free <= room) {
    const stretching = columns.findIndex(({ stretches = false }) => stretches);
    return wanted.map((width, c) => (c === stretching ? width + room - free : width));
  }
  // Short columns (numbers) keep their width; the long ones share what is left.
  const fair = columns.flatMap(({ width }, c) => (width === undefined ? [wanted[c] ?? 0] : [])).sort((a, b) => a - b);
  let left = room;
  let most = 0;
  for (const [place, width] of fair.entries()) {
    most = left / (fair.length - place);
    if (width > most) break;
    left -= width;
  }
  return wanted.map((width, c) => (columns[c]?.width === undefined ? Math.min(width, Math.max(most, 8)) : width));
}

/** Prints a heading and, below it, lines in grey; returns where they end. */
export function printHeading(pdf: Pdf, title: string, lines: readonly string[], y: number = pdf.area.top): number {
  const { doc, area } = pdf;
  doc.fillColor(BLACK);
  printLine(doc, title, { x: area.left, y, width: area.width, size: 16, font: 'bold' });
  let top = y + 23;
  doc.fillColor(GREY);
  for (const line of lines) {
    printLine(doc, line, { x: area.left, y: top, width: area.width, size: 9 });
    top += 12.5;
  }
  doc.fillColor(BLACK);
  return top + 6;
}

export interface ParagraphStyle {
  size?: number;
  color?: string;
  /** By default the width of the page. */
  width?: number;
  /** By default the left margin. */
  left?: number;
}

/** Prints a text on as many lines and pages as it needs, from `y` on; returns where it ends. */
export function printParagraph(pdf: Pdf, text: string, y: number, style: ParagraphStyle = {}): number {
  const { doc, area } = pdf;
  const { size = 9, color = BLACK, left = area.left, width = area.left + area.width - left } = style;
  const step = size * 1.4;
  let top = y;
  for (const line of text.split('\n').flatMap((one) => wrapped(doc, one, size, width))) {
    if (top + step > area.top + area.height) {
      pdf.addPage();
      top = area.top;
    }
    doc.fillColor(color);
    printLine(doc, line, { x: left, y: top, width: width + 1, size });
    top += step;
  }
  doc.fillColor(BLACK);
  return top;
}

/** A text in lines, broken between words; words longer than a line within. */
function wrapped(doc: PDFKit.PDFDocument, text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (lengthWithin(doc, longer, size, width) === longer.length) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    for (;;) {
      const fits = lengthWithin(doc, line, size, width);
      if (fits === line.length) break;
      lines.push(line.slice(0, fits));
      line = line.slice(fits);
    }
  }
  return [...lines, line];
}

/** More than a line of most sizes. */
const FIRST_LENGTH = 64;

/** How many characters of a text one line holds, at least one; measuring is slow, so little more than a line is. */
function lengthWithin(doc: PDFKit.PDFDocument, text: string, size: number, width: number): number {
  const holds = (length: number): boolean => widthOf(doc, text.slice(0, length), { size }) <= width;
  let [fits, tooMany] = [1, text.length + 1];
  for (let next = Math.min(FIRST_LENGTH, text.length); next > fits; next = Math.min(2 * next, text.length)) {
    if (!holds(next)) {
      tooMany = next;
      break;
    }
    fits = next;
  }
  if (fits === text.length) return fits;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (holds(middle)) fits = middle;
    else tooMany = middle;
  }
  return Math.min(fits, text.length);
}
