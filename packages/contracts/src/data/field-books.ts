import * as z from 'zod';
import { type Paper, paper } from '../common.ts';

/**
 * The id of a plot beyond its trial, in the codes of labels, in field books, and for BrAPI clients. Field Book finds a
 * plot whose id is just what it scans. `place` is that among the plots of the trial by number, from 0.
 */
export const plotIdOf = (trialId: string, place: number): string => `${trialId}-${place}`;

const walkQuery = {
  order: z
    .enum(['plot', 'rows', 'columns', 'serpentine-rows', 'serpentine-columns'])
    .default('plot')
    .describe(
      'The way of whoever walks: by number; along each row or column in one direction; or there and back (serpentine).',
    ),
  corner: z
    .enum(['top-left', 'top-right', 'bottom-left', 'bottom-right'])
    .default('top-left')
    .describe('Corner of the map where the walk by rows or columns begins.'),
  all_plots: z
    .stringbool()
    .default(false)
    .describe('Fillers and borders too; without it only plots of entries and checks.'),
};

export const fieldBookQuery = z.object({
  format: z
    .enum(['pdf', 'csv'])
    .default('pdf')
    .describe(
      'PDF: the trial, its traits, its map, and plots with empty columns for the traits. CSV: one row per plot.',
    ),
  page: paper.default('A4').describe('Of the PDF.'),
  ...walkQuery,
});
export type FieldBookQuery = z.output<typeof fieldBookQuery>;
export type WalkOrder = Pick<FieldBookQuery, 'order' | 'corner' | 'all_plots'>;

/** What of a plot says where it stands in a walk. */
export interface WalkedPlot {
  number: number;
  row: number | null;
  column: number | null;
  /** Null on fillers and borders. */
  entry: string | null;
}

/**
 * Plots in the order in which somebody walks them. Those without a place on the map come last, by their numbers, when
 * the walk goes by rows or columns.
 */
export function walked<Plot extends WalkedPlot>(
  plots: readonly Plot[],
  { order, corner, all_plots }: WalkOrder,
): Plot[] {
  const among = all_plots ? [...plots] : plots.filter(({ entry }) => entry !== null);
  const byNumber = (a: WalkedPlot, b: WalkedPlot): number => a.number - b.number;
  if (order === 'plot') return among.sort(byNumber);
  const alongRows = order.endsWith('rows');
  const down = corner.startsWith('top') ? 1 : -1;
  const right = corner.endsWith('left') ? 1 : -1;
  const [lineSign, stepSign] = alongRows ? [down, right] : [right, down];
  const placed = among.flatMap((plot) => {
    const { row, column } = plot;
    if (row === null || column === null) return [];
    const [line, step] = alongRows ? [row, column] : [column, row];
    return [{ plot, line: line * lineSign, step: step * stepSign }];
  });
  // There and back by the lines that there are: an empty row is not walked.
  const lines = [...new Set(placed.map(({ line }) => line))].sort((a, b) => a - b);
  const isBack = new Map(lines.map((line, place) => [line, order.startsWith('serpentine') && place % 2 === 1]));
  placed.sort((a, b) => a.line - b.line || (isBack.get(a.line) ? b.step - a.step : a.step - b.step));
  const unplaced = among.filter(({ row, column }) => row === null || column === null).sort(byNumber);
  return [...placed.map(({ plot }) => plot), ...unplaced];
}

export interface LabelSheet {
  page: Paper;
  columns: number;
  rows: number;
  /** Millimetres of one label, and between two beside one another; above one another they touch. */
  width: number;
  height: number;
  gap: number;
}

const INCH = 25.4;
const A4_GAP = 2.54;

/**
 * Sheets of labels by the number of the Avery product, which other makers name too. Sizes are the nominal ones of Avery
 * Zweckform and Avery; the block of labels stands in the middle of each sheet. Try the first sheet on plain paper.
 */
export const LABEL_SHEETS = {
  L7160: { page: 'A4', columns: 3, rows: 7, width: 63.5, height: 38.1, gap: A4_GAP },
  L7163: { page: 'A4', columns: 2, rows: 7, width: 99.1, height: 38.1, gap: A4_GAP },
  L7159: { page: 'A4', columns: 3, rows: 8, width: 63.5, height: 33.9, gap: A4_GAP },
  L7651: { page: 'A4', columns: 5, rows: 13, width: 38.1, height: 21.2, gap: A4_GAP },
  L4731: { page: 'A4', columns: 7, rows: 27, width: 25.4, height: 10, gap: A4_GAP },
  '5160': { page: 'LETTER', columns: 3, rows: 10, width: 2.625 * INCH, height: INCH, gap: 0.125 * INCH },
  '5163': { page: 'LETTER', columns: 2, rows: 5, width: 4 * INCH, height: 2 * INCH, gap: 0.1875 * INCH },
  '5167': { page: 'LETTER', columns: 4, rows: 20, width: 1.75 * INCH, height: 0.5 * INCH, gap: 0.3 * INCH },
} as const satisfies Record<string, LabelSheet>;
export type LabelSheetName = keyof typeof LABEL_SHEETS;
const SHEET_NAMES = Object.keys(LABEL_SHEETS) as [LabelSheetName, ...LabelSheetName[]];

/** What a label may say beside its code, a line each, in this order. */
export const LABEL_FIELDS = ['plot', 'name', 'entry', 'position', 'block', 'trial', 'place'] as const;
export type LabelField = (typeof LABEL_FIELDS)[number];
export const DEFAULT_LABEL_FIELDS: readonly LabelField[] = ['plot', 'entry', 'position', 'trial'];

const MOST_PER_SHEET = Math.max(...Object.values(LABEL_SHEETS).map(({ columns, rows }) => columns * rows));

export const labelsQuery = z.object({
  sheet: z.enum(SHEET_NAMES).default('L7160').describe('Number of the Avery sheet; others of the same size fit.'),
  start: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_PER_SHEET)
    .default(1)
    .describe('Place of the first label on the first sheet, counted by rows from 1: those before it are used up.'),
  copies: z.coerce.number().int().min(1).max(20).default(1).describe('Labels of each plot, one behind another.'),
  fields: z
    .string()
    .max(200)
    .default(DEFAULT_LABEL_FIELDS.join())
    .transform((text) => text.split(',').filter((field) => field !== ''))
    .pipe(z.array(z.enum(LABEL_FIELDS)).max(LABEL_FIELDS.length))
    .describe(`What is printed beside the code: some of ${LABEL_FIELDS.join(', ')}, with commas.`),
  code: z
    .enum(['id', 'name'])
    .default('id')
    .describe('The code holds the id of the plot, as field books and BrAPI have it, or its name.'),
  ...walkQuery,
});
export type LabelsQuery = z.output<typeof labelsQuery>;

/** Most labels of one request. */
export const MAX_LABELS = 20_000;

export interface LabelBox {
  x: number;
  y: number;
}

/** Where the labels of a sheet begin, in millimetres from the upper left corner of the page, row by row. */
export function labelBoxes({ page, columns, rows, width, height, gap }: LabelSheet): LabelBox[] {
  const paper = page === 'A4' ? { width: 210, height: 297 } : { width: 8.5 * INCH, height: 11 * INCH };
  const left = (paper.width - columns * width - (columns - 1) * gap) / 2;
  const top = (paper.height - rows * height) / 2;
  return Array.from({ length: columns * rows }, (_, place) => ({
    x: left + (place % columns) * (width + gap),
    y: top + Math.floor(place / columns) * height,
  }));
}

export interface LabelLayout {
  /** The square of the code, in millimetres from the upper left corner of the label. */
  code: { x: number; y: number; side: number };
  /** A line of text each: its top, and the size of its letters, in millimetres. */
  lines: { x: number; y: number; width: number; size: number; isBold: boolean }[];
}

const POINT = INCH / 72;
/** Printers shift sheets by about as much. */
const INSET = 1.5;

/** How a label of a sheet is divided: the code on the left, the lines beside it, the first one larger and bold. */
export function labelLayout({ width, height }: LabelSheet, lineCount: number): LabelLayout {
  const inset = Math.min(INSET, height * 0.1);
  const side = Math.min(height - 2 * inset, width * 0.45, 30);
  const x = inset + side + Math.max(1, inset);
  // The first line counts half as much again.
  const unit = Math.min((height - 2 * inset) / ((lineCount + 0.5) * 1.25), 9 * POINT);
  const total = (lineCount + 0.5) * unit * 1.25;
  let y = (height - total) / 2;
  const lines = Array.from({ length: lineCount }, (_, line) => {
    const size = line === 0 ? unit * 1.5 : unit;
    const place = { x, y, width: width - x - inset, size, isBold: line === 0 };
    y += size * 1.25;
    return place;
  });
  return { code: { x: inset, y: (height - side) / 2, side }, lines };
}

/** What the lines of a label say; lines without content are left out. */
export function labelLines(fields: readonly LabelField[], label: LabelContent): string[] {
  const { plot, trial } = label;
  const text: Record<LabelField, string> = {
    plot: String(plot.number),
    name: plot.name,
    entry: plot.entry ?? '',
    position: plot.row === null || plot.column === null ? '' : `row ${plot.row} · column ${plot.column}`,
    block: [
      ...(plot.replicate === null ? [] : [`rep ${plot.replicate}`]),
      ...(plot.block === null ? [] : [`block ${plot.block}`]),
    ].join(' · '),
    trial: trial.name,
    place: `${trial.location_name} · ${trial.season}`,
  };
  return LABEL_FIELDS.filter((field) => fields.includes(field) && text[field] !== '').map((field) => text[field]);
}

export interface LabelContent {
  plot: {
    number: number;
    name: string;
    entry: string | null;
    row: number | null;
    column: number | null;
    replicate: number | null;
    block: number | null;
  };
  trial: { name: string; location_name: string; season: string };
}
