import PDFDocument from 'pdfkit';
import { type FontName, registerFonts } from './pdf-fonts.ts';

export type PageSize = 'A4' | 'LETTER';
/** Points (1/72 inch) of a page, upright. ISO 216 and ANSI/ASME Y14.1. */
export const PAGE_SIZES: Record<PageSize, { width: number; height: number }> = {
  A4: { width: 595.28, height: 841.89 },
  LETTER: { width: 612, height: 792 },
};
export const POINTS_PER_MM: number = 72 / 25.4;

export interface PdfOptions {
  title: string;
  size: PageSize;
  /** Of all four sides in points. */
  margin?: number;
  /** What the document is about was last changed then. The clock would give equal content other bytes. */
  date: Date;
}

/** What lies within the margins of a page, in points from its upper left corner. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Pdf {
  doc: PDFKit.PDFDocument;
  /** Begins a page: upright, on its side, or (absent) as the last one. */
  addPage(shape?: 'upright' | 'landscape'): void;
  /** Of the last page. */
  area: Area;
  /** Of a page that is not there yet. */
  areaOf(shape: 'upright' | 'landscape'): Area;
  /** Ends the document. `footer` is printed into the lower margin of each page, beside "page / pages". */
  bytes(footer?: string): Promise<Uint8Array>;
}

const FOOTER_SIZE = 7.5;
const DEFAULT_MARGIN = 40;

/** A document without pages. The same calls give the same bytes. */
export function createPdf({ title, size, margin = DEFAULT_MARGIN, date }: PdfOptions): Pdf {
  const doc = new PDFDocument({
    // Texts are placed by us. A margin would start a new page under a line in the lower one.
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: printable(title), Creator: 'Heterosis', Producer: 'Heterosis', CreationDate: date },
  });
  registerFonts(doc);
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((done, failed) => {
    doc.once('end', done);
    doc.once('error', failed);
  });
  const areaOf = (shape: 'upright' | 'landscape'): Area => {
    const { width, height } = PAGE_SIZES[size];
    const [across, down] = shape === 'upright' ? [width, height] : [height, width];
    return { left: margin, top: margin, width: across - 2 * margin, height: down - 2 * margin };
  };
  let last: 'upright' | 'landscape' = 'upright';
  return {
    doc,
    areaOf,
    get area() {
      return areaOf(last);
    },
    addPage(shape = last) {
      last = shape;
      doc.addPage({ size, layout: shape === 'upright' ? 'portrait' : 'landscape', margin: 0 });
    },
    async bytes(footer) {
      if (footer !== undefined) printFooters(doc, footer, margin);
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

function printFooters(doc: PDFKit.PDFDocument, footer: string, margin: number): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    doc.switchToPage(start + index);
    const width = doc.page.width - 2 * margin;
    const place = { y: doc.page.height - margin + 14, size: FOOTER_SIZE };
    const number = `${index + 1} / ${count}`;
    const numberWidth = widthOf(doc, number, place) + 1;
    doc.fillColor(GREY);
    printLine(doc, footer, { ...place, x: margin, width: width - numberWidth - 12 });
    printLine(doc, number, { ...place, x: margin + width - numberWidth, width: numberWidth });
  }
}

export const BLACK = '#111111';
export const GREY = '#555555';
export const RULE = '#999999';
export const LINK = '#0b5cad';

export interface TextPlace {
  x: number;
  /** Top of the line. */
  y: number;
  /** Longer text is printed smaller, down to `smallest`, and then cut, with an ellipsis. */
  width: number;
  size?: number;
  /** By default `size`. */
  smallest?: number;
  font?: FontName;
  align?: 'left' | 'center' | 'right';
}

const DEFAULT_SIZE = 9;

/** Prints one line. */
export function printLine(doc: PDFKit.PDFDocument, text: string, place: TextPlace): void {
  const { x, y, width, size = DEFAULT_SIZE, smallest = size, font = 'regular', align = 'left' } = place;
  const line = printable(text);
  const features = featuresOf(align);
  const wide = doc.font(font).fontSize(size).widthOfString(line, features);
  const shownSize = wide <= width ? size : Math.min(size, Math.max(smallest, (size * width) / wide));
  const shown = fitted(doc, line, { width: width + ROUNDING, size: shownSize, font });
  if (shown === '') return;
  const slack = align === 'left' ? 0 : Math.max(0, width - doc.widthOfString(shown, features));
  // On the same base line, more or less.
  const lower = (size - shownSize) * 0.8;
  doc.text(shown, x + (align === 'center' ? slack / 2 : slack), y + lower, { lineBreak: false, ...features });
}

/** What stands right is numbers, whose digits stand below each other. */
const featuresOf = (align: TextPlace['align']) => (align === 'right' ? { features: EVEN_DIGITS } : {});

/** Digits of one width, and no closer to a point than to each other. */
const EVEN_DIGITS = { tnum: true, kern: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[];

/** A text that was made smaller to fit may be wider by less. */
const ROUNDING = 0.01;

/** Width in points of a text in one line. */
export function widthOf(
  doc: PDFKit.PDFDocument,
  text: string,
  { size = DEFAULT_SIZE, font = 'regular', align }: Pick<TextPlace, 'size' | 'font' | 'align'> = {},
): number {
  return doc.font(font).fontSize(size).widthOfString(printable(text), featuresOf(align));
}

/** The longest beginning of a text that fits, with an ellipsis when it is not all; sets the font. */
function fitted(doc: PDFKit.PDFDocument, text: string, place: Required<Pick<TextPlace, 'width' | 'size' | 'font'>>) {
  const { width, size, font } = place;
  doc.font(font).fontSize(size);
  if (doc.widthOfString(text) <= width) return text;
  // By halves: names may be long.
  const characters = [...text];
  let fits = 0;
  let not = characters.length;
  while (not - fits > 1) {
    const middle = (fits + not) >> 1;
    if (doc.widthOfString(`${characters.slice(0, middle).join('')}…`) <= width) fits = middle;
    else not = middle;
  }
  return fits === 0 ? '' : `${characters.slice(0, fits).join('').trimEnd()}…`;
}

/** A text as one line: what would break a line or turn its direction is no part of a name. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
