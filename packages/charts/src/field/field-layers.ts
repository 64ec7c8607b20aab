import type { ChartColors } from '../chart-colors.ts';
import { type ColorScale, heatmapPixels } from '../heatmaps/heatmap-bitmap.ts';
import { byCell, type FieldGrid } from './field-grid.ts';

/** What a map shows of each plot: an amount, or the group that it belongs to. */
export type FieldLayer = { id: string; title: string } & (
  | { kind: 'amount'; values: readonly (number | null)[]; range: AmountRange; format: (value: number) => string }
  | {
      kind: 'group';
      groups: readonly (string | null)[];
      /** Of groups that have a colour of their own. */
      colorOf?: ((group: string, colors: ChartColors) => string | undefined) | undefined;
    }
);

export interface AmountRange {
  min: number;
  max: number;
  /** Colours part at zero. */
  isDiverging: boolean;
  /** Some values lie beyond the ends and have their colours. */
  isCut: boolean;
}

/** Beyond these shares the ends of the scale would be set by a few plots, and all others would look alike. */
const TAIL = 0.01;
const CUT_FROM = 100;

/** The range of a scale: of many values without the outermost hundredth. */
export function amountRange(values: readonly (number | null)[], isDiverging: boolean): AmountRange {
  const known = values
    .filter((value): value is number => value !== null && Number.isFinite(value))
    .sort((a, b) => a - b);
  const tail = known.length < CUT_FROM ? 0 : Math.floor(known.length * TAIL);
  const [low = 0, high = 0] = [known[tail], known[known.length - 1 - tail]];
  const isCut = tail > 0 && (known[0] !== low || known.at(-1) !== high);
  if (!isDiverging) return { min: low, max: high, isDiverging, isCut };
  const end = Math.max(Math.abs(low), Math.abs(high));
  return { min: -end, max: end, isDiverging, isCut };
}

/** Even in lightness and readable in grey (viridis); or vermilion and blue of Okabe & Ito around a grey. */
export const scaleOf = (isDiverging: boolean, { dark }: ChartColors): ColorScale =>
  isDiverging
    ? ['#D55E00', '#EBA474', dark ? '#4a4a47' : '#ededeb', '#7FB3D5', '#0072B2']
    : ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'];

/** Groups in natural order; more than there are colours begin again. */
export function groupsOf(groups: readonly (string | null)[]): string[] {
  const known = new Set(groups.filter((group) => group !== null));
  return [...known].sort(new Intl.Collator('en', { numeric: true }).compare);
}

const groupColor = (place: number, colors: ChartColors): string =>
  // The last colour is that of the text.
  colors.series[place % (colors.series.length - 1)] ?? colors.mark;

export const colorOfGroup = (
  { colorOf }: Extract<FieldLayer, { kind: 'group' }>,
  group: string,
  place: number,
  colors: ChartColors,
): string => colorOf?.(group, colors) ?? groupColor(place, colors);

/** Plots that have no value stand there all the same. */
const withoutValue = ({ dark }: ChartColors): number => (dark ? 0x2c2c2a : 0xdcdcd9);

/** One pixel a cell, row-major RGBA; holes are transparent. */
export function layerPixels(layer: FieldLayer, grid: FieldGrid, colors: ChartColors): Uint8ClampedArray<ArrayBuffer> {
  const pixels = layer.kind === 'amount' ? amountPixels(layer, grid, colors) : groupPixels(layer, grid, colors);
  const empty = withoutValue(colors);
  for (let cell = 0; cell < grid.plotAt.length; cell++) {
    if ((grid.plotAt[cell] ?? -1) >= 0 && pixels[4 * cell + 3] === 0) paint(pixels, cell, empty);
  }
  return pixels;
}

function amountPixels(
  { values, range }: Extract<FieldLayer, { kind: 'amount' }>,
  grid: FieldGrid,
  colors: ChartColors,
): Uint8ClampedArray<ArrayBuffer> {
  return heatmapPixels(byCell(grid, values), { ...range, scale: scaleOf(range.isDiverging, colors) });
}

function groupPixels(
  layer: Extract<FieldLayer, { kind: 'group' }>,
  grid: FieldGrid,
  colors: ChartColors,
): Uint8ClampedArray<ArrayBuffer> {
  const { groups } = layer;
  const colorOf = new Map<string | null | undefined, number>(
    groupsOf(groups).map((group, at) => [group, Number.parseInt(colorOfGroup(layer, group, at, colors).slice(1), 16)]),
  );
  const pixels = new Uint8ClampedArray(4 * grid.plotAt.length);
  for (let cell = 0; cell < grid.plotAt.length; cell++) {
    const color = colorOf.get(groups[grid.plotAt[cell] ?? -1]);
    if (color !== undefined) paint(pixels, cell, color);
  }
  return pixels;
}

function paint(pixels: Uint8ClampedArray, cell: number, color: number): void {
  pixels[4 * cell] = (color >> 16) & 255;
  pixels[4 * cell + 1] = (color >> 8) & 255;
  pixels[4 * cell + 2] = color & 255;
  pixels[4 * cell + 3] = 255;
}
