import { BLACK, GREY, type Pdf, printLine, widthOf } from './pdf-document.ts';

/** Points in a frame with two axes, in units of the data. */
export interface PdfFigure {
  title: string;
  x: Axis;
  y: Axis;
  series: readonly { color: string; points: readonly (readonly [x: number, y: number])[] }[];
  /** Across the whole width, each named at its right end. */
  levels?: readonly { at: number; name: string; color: string; dash: number }[];
}

interface Axis {
  name: string;
  from: number;
  to: number;
  ticks: readonly { at: number; name: string }[];
  /** Lines through the figure. */
  hasGrid?: boolean;
}

const HEIGHT = 190;
const MARGIN = { left: 34, right: 6, top: 18, bottom: 30 };
const SMALL = 7;
const GRID = '#dededc';

/** Draws a figure over the width of the page, on a new page where it does not fit; returns where it ends. */
export function printFigure(pdf: Pdf, figure: PdfFigure, y: number): number {
  const { doc, area } = pdf;
  let top = y;
  if (top + HEIGHT > area.top + area.height) {
    pdf.addPage();
    top = area.top;
  }
  const frame = {
    left: area.left + MARGIN.left,
    right: area.left + area.width - MARGIN.right,
    top: top + MARGIN.top,
    bottom: top + HEIGHT - MARGIN.bottom,
  };
  const place = ({ from, to }: Axis, value: number): number => (value - from) / Math.max(to - from, Number.MIN_VALUE);
  const xOf = (value: number): number => frame.left + place(figure.x, value) * (frame.right - frame.left);
  const yOf = (value: number): number => frame.bottom - place(figure.y, value) * (frame.bottom - frame.top);
  doc.fillColor(BLACK);
  printLine(doc, figure.title, { x: area.left, y: top, width: area.width, size: 9, font: 'bold' });
  doc.lineWidth(0.5);
  for (const { at, name } of figure.y.ticks) {
    if (figure.y.hasGrid) doc.strokeColor(GRID).moveTo(frame.left, yOf(at)).lineTo(frame.right, yOf(at)).stroke();
    doc.fillColor(GREY);
    printLine(doc, name, { x: area.left, y: yOf(at) - 4, width: MARGIN.left - 5, size: SMALL, align: 'right' });
  }
  let free = Number.NEGATIVE_INFINITY;
  for (const { at, name } of figure.x.ticks) {
    const half = widthOf(doc, name, { size: SMALL }) / 2 + 2;
    // Of many contigs only those with enough room are named.
    if (xOf(at) - half < free) continue;
    free = xOf(at) + half;
    doc.fillColor(GREY);
    printLine(doc, name, { x: xOf(at) - half, y: frame.bottom + 4, width: 2 * half, size: SMALL, align: 'center' });
  }
  for (const { color, points } of figure.series) {
    doc.fillColor(color);
    for (const [x, value] of points) doc.circle(xOf(x), yOf(value), 1.1);
    if (points.length > 0) doc.fill();
  }
  const levels = [...(figure.levels ?? [])].sort((a, b) => b.at - a.at);
  for (const [place, { at, name, color, dash }] of levels.entries()) {
    doc.lineWidth(0.8).strokeColor(color).dash(dash, { space: dash });
    doc.moveTo(frame.left, yOf(at)).lineTo(frame.right, yOf(at)).stroke().undash();
    doc.fillColor(color);
    // Below its line where the name of the one above would be written over.
    const isClose = place > 0 && yOf(at) - yOf(levels[place - 1]?.at ?? at) < 10;
    const nameTop = isClose ? yOf(at) + 2 : yOf(at) - 10;
    printLine(doc, name, {
      ...{ x: frame.left, y: nameTop, width: frame.right - frame.left, size: SMALL, align: 'right' },
    });
  }
  doc.fillColor(GREY);
  const across = { x: frame.left, width: frame.right - frame.left, size: SMALL, align: 'center' } as const;
  printLine(doc, figure.x.name, { ...across, y: frame.bottom + 16 });
  doc.save().rotate(-90, { origin: [area.left + 4, (frame.top + frame.bottom) / 2] });
  const tall = frame.bottom - frame.top;
  printLine(doc, figure.y.name, {
    ...{ x: area.left + 4 - tall / 2, y: (frame.top + frame.bottom) / 2 - 5 },
    ...{ width: tall, size: SMALL, align: 'center' },
  });
  doc.restore();
  doc.fillColor(BLACK);
  return top + HEIGHT + 6;
}
