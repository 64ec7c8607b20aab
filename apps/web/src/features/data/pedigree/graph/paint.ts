import { type Kin, type LineKind, linesTo, parentsOf } from './kin.ts';
import { BOX, firstAfter, type Layout, STEP_Y } from './layout.ts';

/** What is visible: graph pixels = (screen pixels − shift) / scale. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Palette {
  ground: string;
  text: string;
  muted: string;
  accent: string;
  lines: Record<LineKind, string>;
}

/** The graph to draw, prepared once for each layout. */
export interface Picture {
  kin: Kin;
  layout: Layout;
  /** Four numbers a line: x and y of parent and child; by kind. */
  lines: Record<LineKind, Float64Array>;
  /** Places with one unknown parent: −1 the female, 1 the male. */
  unknown: Int8Array;
  /** Places with relatives that are not shown: 1 above, 2 below, 3 both. */
  hidden: Uint8Array;
}

/** From how large on boxes carry names, and lines are curves. */
const WITH_NAMES = 0.42;
const WITH_CURVES = 0.16;
/** Where the lines of female and male meet a box. */
const SIDE = 20;

export function pictureOf(kin: Kin, layout: Layout): Picture {
  const lines: Record<LineKind, number[]> = { female: [], male: [], selfed: [], clone: [], recurrent: [] };
  const unknown = new Int8Array(layout.order.length);
  const hidden = new Uint8Array(layout.order.length);
  const shownPlace = (i: number): number => layout.placeOf[i] ?? -1;
  for (const [place, i] of layout.order.entries()) {
    const { maternal, paternal } = kin.individuals[i] ?? { maternal: null, paternal: null };
    if ((maternal === null) !== (paternal === null)) unknown[place] = maternal === null ? -1 : 1;
    for (const { parent, kind } of linesTo(kin, i)) {
      const from = shownPlace(parent);
      if (from < 0) continue;
      const isSingle = kind === 'selfed' || kind === 'clone';
      const side = isSingle ? 0 : parent === maternal ? -SIDE : SIDE;
      lines[kind].push(
        layout.x[from] ?? 0,
        (layout.y[from] ?? 0) + BOX.height / 2,
        (layout.x[place] ?? 0) + side,
        (layout.y[place] ?? 0) - BOX.height / 2,
      );
    }
    if (parentsOf(kin, i).some((parent) => shownPlace(parent) < 0)) hidden[place] = 1;
    if ((kin.progeny[i] ?? []).some((child) => shownPlace(child) < 0)) hidden[place] = (hidden[place] ?? 0) + 2;
  }
  return {
    ...{ kin, layout, unknown, hidden },
    lines: {
      female: Float64Array.from(lines.female),
      male: Float64Array.from(lines.male),
      selfed: Float64Array.from(lines.selfed),
      clone: Float64Array.from(lines.clone),
      recurrent: Float64Array.from(lines.recurrent),
    },
  };
}

export interface Marks {
  palette: Palette;
  /** Fill of a box, by individual. */
  fillOf: (i: number) => string;
  selected: ReadonlySet<number>;
}

type Canvas = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Draws what lies in a rectangle of `width` × `height` screen pixels; the caller has cleared it. */
export function paint(
  context: Canvas,
  picture: Picture,
  marks: Marks,
  view: View,
  width: number,
  height: number,
): void {
  const left = -view.x / view.scale;
  const top = -view.y / view.scale;
  const right = left + width / view.scale;
  const bottom = top + height / view.scale;
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.scale, view.scale);
  for (const kind of LINE_ORDER) {
    paintLines(context, kind, picture.lines[kind], marks.palette, view.scale, { left, top, right, bottom });
  }
  paintBoxes(context, picture, marks, view.scale, { left, top, right, bottom });
  context.restore();
}

const LINE_ORDER: readonly LineKind[] = ['male', 'female', 'clone', 'recurrent', 'selfed'];

interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function paintLines(
  context: Canvas,
  kind: LineKind,
  lines: Float64Array,
  palette: Palette,
  scale: number,
  frame: Frame,
): void {
  if (lines.length === 0) return;
  context.beginPath();
  const isCurved = scale >= WITH_CURVES;
  // A double line has the same course twice.
  const shifts = kind === 'selfed' && scale >= WITH_CURVES ? [-2.5, 2.5] : [0];
  for (let at = 0; at < lines.length; at += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [lines[at], lines[at + 1], lines[at + 2], lines[at + 3]];
    if (y2 < frame.top || y1 > frame.bottom) continue;
    if ((x1 < frame.left && x2 < frame.left) || (x1 > frame.right && x2 > frame.right)) continue;
    for (const shift of shifts) {
      context.moveTo(x1 + shift, y1);
      if (isCurved) context.bezierCurveTo(x1 + shift, y1 + STEP_Y / 3, x2 + shift, y2 - STEP_Y / 3, x2 + shift, y2);
      else context.lineTo(x2, y2);
    }
  }
  context.strokeStyle = palette.lines[kind];
  context.globalAlpha = scale < WITH_CURVES ? 0.35 : 0.85;
  context.lineWidth =
    (kind === 'recurrent' ? 2.5 : 1.2) / Math.max(scale, 0.5) / (scale < 0.1 ? 2 * Math.sqrt(scale) : 1);
  context.setLineDash(kind === 'clone' ? [4, 4] : []);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function paintBoxes(context: Canvas, picture: Picture, marks: Marks, scale: number, frame: Frame): void {
  const { layout, kin, hidden, unknown } = picture;
  const { palette } = marks;
  const isNamed = scale >= WITH_NAMES;
  // Boxes of a few pixels keep a visible size.
  const width = Math.max(BOX.width, 2 / scale) * (isNamed ? 1 : 0.7);
  const height = Math.max(BOX.height, 3 / scale);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `12px ${FONT}`;
  for (let row = 0; row + 1 < layout.rows.length; row++) {
    const y = (row + 0.5) * STEP_Y;
    if (y < frame.top - STEP_Y || y > frame.bottom + STEP_Y) continue;
    const end = layout.rows[row + 1] ?? 0;
    for (let place = firstAfter(layout.x, layout.rows[row] ?? 0, end, frame.left - width); place < end; place++) {
      const x = layout.x[place] ?? 0;
      if (x > frame.right + width) break;
      const i = layout.order[place] ?? 0;
      context.fillStyle = marks.fillOf(i);
      if (!isNamed) {
        context.fillRect(x - width / 2, y - height / 2, width, height);
        if (marks.selected.has(i)) ring(context, palette.accent, x, y, width, height, 3 / scale);
        continue;
      }
      context.beginPath();
      context.roundRect(x - BOX.width / 2, y - BOX.height / 2, BOX.width, BOX.height, 5);
      context.fill();
      if (marks.selected.has(i)) ring(context, palette.accent, x, y, BOX.width, BOX.height, 2.5);
      context.fillStyle = textOn(marks.fillOf(i));
      context.fillText(shortName(kin.individuals[i]?.name ?? ''), x, y + 0.5);
      paintSigns(context, palette, x, y, unknown[place] ?? 0, hidden[place] ?? 0);
    }
  }
}

function ring(context: Canvas, color: string, x: number, y: number, width: number, height: number, line: number): void {
  context.strokeStyle = color;
  context.lineWidth = line;
  context.strokeRect(x - width / 2 - line, y - height / 2 - line, width + 2 * line, height + 2 * line);
}

/** A small ring for an unknown parent, and signs for relatives that are not shown. */
function paintSigns(context: Canvas, palette: Palette, x: number, y: number, unknown: number, hidden: number): void {
  const top = y - BOX.height / 2;
  if (unknown !== 0) {
    context.strokeStyle = palette.muted;
    context.lineWidth = 1.2;
    context.beginPath();
    context.moveTo(x + unknown * SIDE, top);
    context.lineTo(x + unknown * SIDE, top - 9);
    context.stroke();
    context.beginPath();
    context.arc(x + unknown * SIDE, top - 13, 4, 0, 2 * Math.PI);
    context.stroke();
  }
  context.fillStyle = palette.accent;
  if ((hidden & 1) !== 0) triangle(context, x, top - 3, -1);
  if ((hidden & 2) !== 0) triangle(context, x, y + BOX.height / 2 + 3, 1);
}

function triangle(context: Canvas, x: number, y: number, direction: number): void {
  context.beginPath();
  context.moveTo(x - 5, y);
  context.lineTo(x + 5, y);
  context.lineTo(x, y + 6 * direction);
  context.fill();
}

export const FONT = "'Inter Variable', Inter, sans-serif";
const LONGEST = 13;

export const shortName = (name: string): string => (name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 1)}…`);

/** Black or white, whichever is better read on a colour given as #rrggbb. */
export function textOn(fill: string): string {
  const value = Number.parseInt(fill.slice(1), 16);
  const luminance = 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255);
  return luminance > 140 ? '#111111' : '#ffffff';
}
