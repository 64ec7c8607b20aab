import { printable } from './pdf-document.ts';
import type { FontName } from './pdf-fonts.ts';

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

interface State {
  matrix: Matrix;
  fillStyle: string | PdfGradient;
  strokeStyle: string | PdfGradient;
  lineWidth: number;
  lineCap: 'butt' | 'round' | 'square';
  lineJoin: 'miter' | 'round' | 'bevel';
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  dash: readonly number[];
}

const START: Omit<State, 'matrix'> = {
  ...{ fillStyle: '#000000', strokeStyle: '#000000', lineWidth: 1, lineCap: 'butt', lineJoin: 'miter' },
  ...{ globalAlpha: 1, font: '12px Inter', textAlign: 'start', textBaseline: 'alphabetic', dash: [] },
};

/** A drawing instruction whose points are on the page already. */
type Step = readonly ['M' | 'L' | 'C' | 'Z', ...number[]];

/** A gradient along a line, in the units in force when it was made. */
class PdfGradient {
  readonly line: readonly [number, number, number, number];
  readonly stops: [number, string][] = [];
  constructor(line: readonly [number, number, number, number]) {
    this.line = line;
  }
  addColorStop(at: number, color: string): void {
    this.stops.push([at, color]);
  }
}

/** Of the ascent and the descent of Inter, in ems (its `hhea` table: 0.969 and 0.242). */
const ASCENT = 0.969;
const DESCENT = 0.242;
/** How far below the place that a baseline names the alphabetic one lies, in ems. */
const BASELINES: Record<string, number> = {
  alphabetic: 0,
  top: ASCENT - 0.12,
  hanging: ASCENT - 0.2,
  middle: 0.36,
  bottom: -DESCENT,
};

// Those of the canvas.
type ArcParameters = [x: number, y: number, radius: number, from: number, to: number, isAnticlockwise?: boolean];
type EllipseParameters = [
  ...[x: number, y: number, radiusX: number, radiusY: number, turned: number, from: number, to: number],
  isAnticlockwise?: boolean,
];

/** One pixel a cell, row-major RGBA; cells without opacity stay empty. */
export interface CellPicture {
  pixels: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Four curves to a circle: the distance of their handles (Goldapp 1991 and others). */
const quarterHandle = (angle: number): number => (4 / 3) * Math.tan(angle / 4);

/**
 * The part of a 2D context of the canvas that charts use, as vectors of a PDF. Points are placed on the page as they
 * come, because a PDF takes no change of its state within a path. What charts do not use is not there: a call of it
 * fails.
 */
export class PdfCanvas {
  /** Charts read the size, and may write it. */
  width: number;
  height: number;
  dpr = 1;
  lineDashOffset = 0;
  shadowBlur = 0;
  shadowColor = '';
  shadowOffsetX = 0;
  shadowOffsetY = 0;
  miterLimit = 10;
  globalCompositeOperation = 'source-over';
  imageSmoothingEnabled = false;
  readonly #doc: PDFKit.PDFDocument;
  readonly #base: Matrix;
  readonly #kept: State[] = [];
  #state: State;
  #path: Step[] = [];
  #at: readonly [number, number] = [0, 0];

  /** `scale`: points of the page to a pixel. */
  constructor(
    doc: PDFKit.PDFDocument,
    { x, y, width, height, scale }: { x: number; y: number; width: number; height: number; scale: number },
  ) {
    this.#doc = doc;
    this.width = width;
    this.height = height;
    this.#base = [scale, 0, 0, scale, x, y];
    this.#state = { ...START, matrix: this.#base };
  }

  /** A chart takes this for the element. */
  getContext(): this {
    return this;
  }
  getAttribute(): null {
    return null;
  }
  addEventListener(): void {}
  removeEventListener(): void {}

  get fillStyle() {
    return this.#state.fillStyle;
  }
  set fillStyle(style) {
    this.#state.fillStyle = style;
  }
  get strokeStyle() {
    return this.#state.strokeStyle;
  }
  set strokeStyle(style) {
    this.#state.strokeStyle = style;
  }
  get lineWidth() {
    return this.#state.lineWidth;
  }
  set lineWidth(width) {
    this.#state.lineWidth = width;
  }
  get lineCap() {
    return this.#state.lineCap;
  }
  set lineCap(cap) {
    this.#state.lineCap = cap;
  }
  get lineJoin() {
    return this.#state.lineJoin;
  }
  set lineJoin(join) {
    this.#state.lineJoin = join;
  }
  get globalAlpha() {
    return this.#state.globalAlpha;
  }
  set globalAlpha(alpha) {
    this.#state.globalAlpha = alpha;
  }
  get font() {
    return this.#state.font;
  }
  set font(font) {
    this.#state.font = font;
  }
  get textAlign() {
    return this.#state.textAlign;
  }
  set textAlign(align) {
    this.#state.textAlign = align;
  }
  get textBaseline() {
    return this.#state.textBaseline;
  }
  set textBaseline(baseline) {
    this.#state.textBaseline = baseline;
  }
  setLineDash(dash: readonly number[]): void {
    this.#state.dash = [...dash];
  }

  save(): void {
    this.#kept.push({ ...this.#state });
    this.#doc.save();
  }
  restore(): void {
    const kept = this.#kept.pop();
    if (kept === undefined) return;
    this.#state = kept;
    this.#doc.restore();
  }
  setTransform(...to: Matrix): void {
    this.#state.matrix = product(this.#base, to);
  }
  transform(...by: Matrix): void {
    this.#state.matrix = product(this.#state.matrix, by);
  }
  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }
  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0);
  }
  rotate(angle: number): void {
    this.transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0);
  }

  beginPath(): void {
    this.#path = [];
  }
  moveTo(x: number, y: number): void {
    this.#add('M', [x, y]);
  }
  lineTo(x: number, y: number): void {
    this.#add(this.#path.length === 0 ? 'M' : 'L', [x, y]);
  }
  bezierCurveTo(...points: [number, number, number, number, number, number]): void {
    this.#add('C', points);
  }
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    const [fromX, fromY] = this.#at;
    const third = (from: number, to: number): number => from + ((to - from) * 2) / 3;
    this.#add('C', [third(fromX, cx), third(fromY, cy), third(x, cx), third(y, cy), x, y]);
  }
  closePath(): void {
    if (this.#path.length > 0) this.#path.push(['Z']);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }
  arc(...[x, y, radius, from, to, isAnticlockwise]: ArcParameters): void {
    this.ellipse(x, y, radius, radius, 0, from, to, isAnticlockwise);
  }
  ellipse(...given: EllipseParameters): void {
    const [x, y, radiusX, radiusY, turned, from, to, isAnticlockwise = false] = given;
    const full = 2 * Math.PI;
    let sweep = to - from;
    if (Math.abs(sweep) >= full) sweep = isAnticlockwise ? -full : full;
    else if (isAnticlockwise && sweep > 0) sweep -= full;
    else if (!isAnticlockwise && sweep < 0) sweep += full;
    const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
    const place = (across: number, down: number): [number, number] => [
      x + across * radiusX * cos - down * radiusY * sin,
      y + across * radiusX * sin + down * radiusY * cos,
    ];
    const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
    const step = sweep / parts;
    const handle = quarterHandle(step);
    const [startX, startY] = place(Math.cos(from), Math.sin(from));
    const isThere = this.#path.length > 0 && this.#at[0] === startX && this.#at[1] === startY;
    if (!isThere) this.lineTo(startX, startY);
    for (let part = 0; part < parts; part++) {
      const [a, b] = [from + part * step, from + (part + 1) * step];
      this.bezierCurveTo(
        ...place(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a)),
        ...place(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b)),
        ...place(Math.cos(b), Math.sin(b)),
      );
    }
  }

  fill(): void {
    if (this.#path.length === 0 || !this.#setFill()) return;
    this.#trace();
    this.#doc.fill();
  }
  stroke(): void {
    if (this.#path.length === 0 || !this.#setStroke()) return;
    this.#trace();
    this.#doc.stroke();
  }
  clip(): void {
    if (this.#path.length === 0) return;
    this.#trace();
    this.#doc.clip();
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    const kept = this.#path;
    this.#path = [];
    this.rect(x, y, width, height);
    this.fill();
    this.#path = kept;
  }
  strokeRect(x: number, y: number, width: number, height: number): void {
    const kept = this.#path;
    this.#path = [];
    this.rect(x, y, width, height);
    this.stroke();
    this.#path = kept;
  }
  /** Cells as rectangles, those of one colour in a row joined: a picture of so few pixels would be blurred. */
  drawImage(...[picture, x, y, width, height]: [CellPicture, number, number, number, number]): void {
    const [across, down] = [width / picture.width, height / picture.height];
    const colorAt = (cell: number): string => {
      const [red = 0, green = 0, blue = 0, alpha = 0] = picture.pixels.subarray(4 * cell, 4 * cell + 4);
      return alpha === 0 ? 'none' : `rgb(${red},${green},${blue})`;
    };
    const kept = this.#state.fillStyle;
    for (let row = 0; row < picture.height; row++)
      for (let from = 0, to = 0; from < picture.width; from = to) {
        const color = colorAt(row * picture.width + from);
        to = from + 1;
        while (to < picture.width && colorAt(row * picture.width + to) === color) to++;
        this.#state.fillStyle = color;
        this.fillRect(x + from * across, y + row * down, (to - from) * across, down);
      }
    this.#state.fillStyle = kept;
  }
  /** Paper is white. */
  clearRect(): void {}

  createLinearGradient(fromX: number, fromY: number, toX: number, toY: number): PdfGradient {
    return new PdfGradient([...this.#placed(fromX, fromY), ...this.#placed(toX, toY)]);
  }

  measureText(text: string): { width: number } {
    return measured(this.#doc, text, this.#state.font);
  }
  fillText(text: string, x: number, y: number): void {
    if (this.#setFill()) this.#write(text, { x, y, isOutline: false });
  }
  strokeText(text: string, x: number, y: number): void {
    if (this.#setStroke()) this.#write(text, { x, y, isOutline: true });
  }

  #write(text: string, { x, y, isOutline }: { x: number; y: number; isOutline: boolean }): void {
    const doc = this.#doc;
    const { size, name } = fontIn(this.#state.font);
    const { matrix, textAlign, textBaseline } = this.#state;
    const shown = printable(text);
    if (shown.trim() === '') return;
    const width = doc.font(name).fontSize(size).widthOfString(shown);
    const left = textAlign === 'center' ? x - width / 2 : textAlign === 'right' || textAlign === 'end' ? x - width : x;
    const base = y + (BASELINES[textBaseline] ?? 0) * size;
    doc.save();
    doc.transform(...matrix);
    // The line is that of the page so far.
    if (isOutline) doc.lineWidth(this.#state.lineWidth).lineJoin('round');
    doc.text(shown, left, base, { lineBreak: false, baseline: 'alphabetic', fill: !isOutline, stroke: isOutline });
    doc.restore();
  }

  #placed(x: number, y: number): [number, number] {
    const [a, b, c, d, e, f] = this.#state.matrix;
    return [a * x + c * y + e, b * x + d * y + f];
  }
  #add(what: 'M' | 'L' | 'C', points: readonly number[]): void {
    const placed: number[] = [];
    for (let k = 0; k + 1 < points.length; k += 2) placed.push(...this.#placed(points[k] ?? 0, points[k + 1] ?? 0));
    this.#at = [points.at(-2) ?? 0, points.at(-1) ?? 0];
    this.#path.push([what, ...placed]);
  }
  #trace(): void {
    for (const [what, x = 0, y = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] of this.#path)
      if (what === 'M') this.#doc.moveTo(x, y);
      else if (what === 'L') this.#doc.lineTo(x, y);
      else if (what === 'C') this.#doc.bezierCurveTo(x, y, x2, y2, x3, y3);
      else this.#doc.closePath();
  }

  #setFill(): boolean {
    const { fillStyle, globalAlpha } = this.#state;
    if (fillStyle instanceof PdfGradient) {
      const gradient = this.#doc.linearGradient(...fillStyle.line);
      for (const [at, color] of fillStyle.stops) gradient.stop(at, colorOf(color)?.color ?? '#000000');
      this.#doc.fillColor(gradient);
      return true;
    }
    const { color, alpha } = colorOf(fillStyle) ?? {};
    if (color === undefined) return false;
    this.#doc.fillColor(color, (alpha ?? 1) * globalAlpha);
    return true;
  }
  #setStroke(): boolean {
    const { strokeStyle, globalAlpha, matrix, lineWidth, lineCap, lineJoin, dash } = this.#state;
    const { color, alpha } = (typeof strokeStyle === 'string' ? colorOf(strokeStyle) : undefined) ?? {};
    if (color === undefined || lineWidth <= 0) return false;
    const scale = Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
    const doc = this.#doc;
    doc.strokeColor(color, (alpha ?? 1) * globalAlpha).lineWidth(lineWidth * scale);
    doc.lineCap(lineCap).lineJoin(lineJoin);
    const [length = 0, space = length] = dash;
    if (length > 0) doc.dash(length * scale, { space: space * scale });
    else doc.undash();
    return true;
  }
}

const product = ([a, b, c, d, e, f]: Matrix, [a2, b2, c2, d2, e2, f2]: Matrix): Matrix => [
  a * a2 + c * b2,
  b * a2 + d * b2,
  a * c2 + c * d2,
  b * c2 + d * d2,
  a * e2 + c * f2 + e,
  b * e2 + d * f2 + f,
];

/** `600 12px "Inter Variable", sans-serif`. */
function fontIn(font: string): { size: number; name: FontName } {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12);
  return { size, name: /\b(?:bold|[6-9]00)\b/.test(font) ? 'bold' : 'regular' };
}

/** Width in pixels. */
export function measured(doc: PDFKit.PDFDocument, text: string, font: string): { width: number } {
  const { size, name } = fontIn(font);
  return { width: doc.font(name).fontSize(size).widthOfString(printable(text)) };
}

/** A colour of CSS as far as charts write them; undefined for none. */
function colorOf(style: string): { color: string; alpha: number } | undefined {
  if (style === 'transparent' || style === 'none' || style === '') return undefined;
  if (style.startsWith('#')) {
    const wide = style.length === 4 ? `#${[...style.slice(1)].map((sign) => sign + sign).join('')}` : style;
    const alpha = wide.length === 9 ? Number.parseInt(wide.slice(7), 16) / 255 : 1;
    return { color: wide.slice(0, 7), alpha };
  }
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(style)?.[1]
    ?.split(/[,\s/]+/)
    .map(Number);
  if (parts === undefined) throw new Error(`Colours of figures are hexadecimal or rgb(): ${style}`);
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  if (alpha === 0) return undefined;
  const hex = [red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('');
  return { color: `#${hex}`, alpha };
}
