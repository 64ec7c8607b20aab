import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';
import { type ColorScale, heatmapPicture, heatmapPixels } from './heatmaps/heatmap-bitmap.ts';
import { type Joining, TREE_PX, treeBeside } from './heatmaps/heatmap-tree.ts';

/** Share of the largest value beyond which the colour is so strong that white text is read better. */
const STRONG = 0.6;

/** From here on the cells are drawn as one picture: an object for each took seconds. */
const PICTURE_FROM = 2_500;

/** Blue and vermilion of Okabe & Ito around the ground; or viridis-like: even in lightness, readable in grey. */
const scaleOf = (isDiverging: boolean, colors: ChartColors): ColorScale =>
  isDiverging ? ['#D55E00', colors.ground, '#0072B2'] : ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'];

/** Names of so many letters stand upright below their columns. */
const SHORT = 2;

/** Around the cells: names on the left and below, the scale on the right. */
const NAMED_FRAME = { left: 104, bottom: 84, right: 64 };
const BARE_FRAME = { left: 16, bottom: 16, right: 64 };
const TOP_PX = 16;

/** How much more width than height stands around the cells. */
export const heatmapWiderBy = (showNames: boolean, hasTree = false): number => {
  const { left, right, bottom } = showNames ? NAMED_FRAME : BARE_FRAME;
  return left + right - bottom - TOP_PX + (hasTree ? TREE_PX : 0);
};

export interface Heatmap {
  rows: readonly string[];
  columns: readonly string[];
  /** Row-major; null cells stay empty. */
  values: readonly (number | null)[];
}

/** The same names on both sides. */
export const square = (names: readonly string[], values: readonly (number | null)[]): Heatmap => ({
  rows: names,
  columns: names,
  values,
});

/** What the tooltip says of a cell. */
export function describeCell(
  { rows, columns, values }: Heatmap,
  column: number,
  row: number,
  format: (value: number) => string,
): string | undefined {
  const value = values[row * columns.length + column];
  if (value === null || value === undefined || column < 0 || column >= columns.length) return undefined;
  return `${escapeHtml(rows[row] ?? '')} × ${escapeHtml(columns[column] ?? '')}<br>${format(value)}`;
}

/** Values between named rows and columns. A large one is one picture, whose tooltip is that of `describeCell`. */
export function heatmapOption(
  map: Heatmap,
  options: {
    min: number;
    max: number;
    format: (value: number) => string;
    showNames: boolean;
    /** Written into the cells, in letters of so many pixels. */
    showValues?: boolean;
    /** Also a large one is drawn cell by cell: on paper, where nobody waits. */
    drawsCells?: boolean;
    valuePx?: number;
    /** What the names are of. */
    titles?: { across: string; down: string };
    /** Colours part at zero, in the middle between `min` and `max`. */
    isDiverging?: boolean;
    /** Names of rows and columns that are selected on the page: lines along their edges mark them. */
    selected?: ReadonlySet<string>;
    /** Joins the rows on the right of the cells; the name says in what its heights are. */
    tree?: { joinings: readonly Joining[]; name: string };
  },
  colors: ChartColors,
): ChartOption {
  const { rows, columns, values } = map;
  const scale = scaleOf(options.isDiverging ?? false, colors);
  const isPicture = values.length >= PICTURE_FROM && !options.showValues && !options.drawsCells;
  const cells: [number, number, number][] = [];
  const isStrong = (value: number): boolean =>
    Math.abs(value) > STRONG * Math.max(Math.abs(options.min), Math.abs(options.max));
  // Of the other scale the low half is dark, whatever the ground of the page.
  const isDark = (value: number): boolean => value - options.min < (options.max - options.min) / 2;
  const inkOn = (value: number): string => {
    if (options.isDiverging) return isStrong(value) ? '#ffffff' : colors.text;
    return isDark(value) ? '#ffffff' : '#111111';
  };
  const drawnRows = isPicture ? 0 : rows.length;
  for (let row = 0; row < drawnRows; row++) {
    for (let column = 0; column < columns.length; column++) {
      const value = values[row * columns.length + column];
      if (value !== null && value !== undefined) cells.push([column, row, value]);
    }
  }
  const side = (names: readonly string[], name = '') => ({ type: 'category' as const, data: [...names], name });
  const label = {
    show: options.showNames,
    color: colors.muted,
    fontSize: 11,
    width: 90,
    overflow: 'truncate' as const,
  };
  const around = { ...(options.showNames ? NAMED_FRAME : BARE_FRAME), top: TOP_PX };
  const tree =
    options.tree && treeBeside({ ...options.tree, leaves: rows.length, format: options.format }, around, colors);
  const own = frame(colors, { ...around, right: around.right + (tree ? TREE_PX : 0) });
  const across = {
    ...axis(colors, 'x', side(columns, options.titles?.across)),
    axisLabel: { ...label, rotate: columns.every(({ length }) => length <= SHORT) ? 0 : 45 },
    splitLine: { show: false },
  };
  const down = {
    ...axis(colors, 'y', side(rows, options.titles?.down)),
    axisLabel: label,
    inverse: true,
    splitLine: { show: false },
  };
  return {
    ...own,
    grid: tree ? [own.grid, tree.grid] : own.grid,
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ value }: { value: [number, number, number] }) =>
        describeCell(map, value[0], value[1], options.format),
    },
    xAxis: tree ? [across, tree.xAxis] : across,
    yAxis: tree ? [down, tree.yAxis] : down,
    visualMap: {
      min: options.min,
      max: options.max,
      calculable: false,
      orient: 'vertical',
      right: 0,
      top: 'middle',
      itemHeight: 120,
      itemWidth: 12,
      precision: 2,
      text: [options.format(options.max), options.format(options.min)],
      textStyle: { color: colors.muted, fontSize: 11 },
      inRange: { color: [...scale] },
      // A picture has its colours; the scale beside it only says what they mean.
      ...(isPicture ? { seriesIndex: [], hoverLink: false } : { seriesIndex: 0 }),
    },
    series: [
      isPicture
        ? pictureSeries(map, { ...options, scale })
        : {
            type: 'heatmap',
            data: options.showValues ? cells.map((value) => ({ value, label: { color: inkOn(value[2]) } })) : cells,
            label: {
              show: options.showValues ?? false,
              fontSize: options.valuePx ?? 12,
              formatter: (cell: unknown) => options.format((cell as { value: [number, number, number] }).value[2]),
            },
            progressive: 0,
            itemStyle: options.isDiverging ? { borderWidth: 1, borderColor: colors.line } : { borderWidth: 0 },
          },
      ...selectedSeries(map, options.selected, colors),
      ...(tree ? [tree.series] : []),
    ],
  };
}

/** All cells as one picture that fills the plot. */
function pictureSeries(
  { rows, columns, values }: Heatmap,
  options: { min: number; max: number; scale: ColorScale },
): Record<string, unknown> {
  let picture: HTMLCanvasElement | undefined;
  return {
    type: 'custom',
    data: [[0, 0]],
    silent: true,
    tooltip: { show: false },
    renderItem: (params: { coordSys: { x: number; y: number; width: number; height: number } }) => {
      picture ??= heatmapPicture(heatmapPixels(values, options), columns.length, rows.length);
      const { x, y, width, height } = params.coordSys;
      return { type: 'image', style: { image: picture, x, y, width, height }, silent: true };
    },
  };
}

/** A ring where a selected name meets itself. */
function selectedSeries(
  { rows, columns }: Heatmap,
  selected: ReadonlySet<string> | undefined,
  colors: ChartColors,
): Record<string, unknown>[] {
  const places =
    selected && columns.flatMap((name, column) => (selected.has(name) ? [[column, rows.indexOf(name)]] : []));
  if (!places || places.length === 0) return [];
  return [
    {
      type: 'scatter',
      data: places.filter(([, row = -1]) => row >= 0),
      symbolSize: 9,
      silent: true,
      itemStyle: { color: 'transparent', borderColor: colors.threshold, borderWidth: 2 },
    },
  ];
}
