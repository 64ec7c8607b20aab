import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';
import { roundRange } from './round-ticks.ts';

export interface ScatterPoint {
  x: number;
  y: number;
  /** Shown on hover. */
  name: string;
  /** Index of the group the point is coloured and shaped by. */
  group?: number;
}

/** Shapes go with the colours, so that groups can be told apart without them. */
const SYMBOLS = [
  ...['circle', 'triangle', 'rect', 'diamond'],
  'path://M0 0H12L6 11Z', // a triangle on its tip
  'path://M4 0H8V4H12V8H8V12H4V8H0V4H4Z', // a plus
  'path://M3 0L6 3L9 0L12 3L9 6L12 9L9 12L6 9L3 12L0 9L3 6L0 3Z', // a cross
  'path://M6 0L12 5L10 12H2L0 5Z', // a pentagon
];

/** A selected point stands out by its outline and size, not by colour alone. */
const selectedStyle = (colors: ChartColors) => ({
  color: colors.threshold,
  borderColor: colors.text,
  borderWidth: 1.5,
  opacity: 1,
});

const GRID = { left: 58, right: 16, top: 16, bottom: 44 };
/** Below the plot where groups are named there. */
const LEGEND_BOTTOM_PX = 72;

/** How much more width than height stands around the points. */
export const scatterWiderBy = (hasGroups: boolean): number =>
  GRID.left + GRID.right - GRID.top - (hasGroups ? LEGEND_BOTTOM_PX : GRID.bottom);

/** Points, one series a group; `identity` adds the 1:1 line, and gives both axes the same range. */
export function scatterOption(
  points: readonly ScatterPoint[],
  options: {
    x: string;
    y: string;
    groups?: readonly string[];
    identity?: boolean;
    format: (value: number) => string;
    /** Names of the points that are selected on the page. */
    selected?: ReadonlySet<string>;
  },
  colors: ChartColors,
): ChartOption {
  const groups = options.groups ?? [''];
  const several = groups.length > 1;
  const series: Record<string, unknown>[] = groups.map((name, group) => ({
    type: 'scatter',
    name,
    symbol: SYMBOLS[group % SYMBOLS.length],
    symbolSize: 6,
    itemStyle: { color: colors.series[group % colors.series.length], opacity: 0.75 },
    data: points
      .filter((point) => (point.group ?? 0) === group)
      .map((point) => ({
        value: [point.x, point.y],
        name: point.name,
        ...(options.selected?.has(point.name) ? { symbolSize: 10, itemStyle: selectedStyle(colors) } : {}),
      })),
    // Large series draw all points alike.
    large: points.length > 5000 && (options.selected?.size ?? 0) === 0,
  }));
  let range: { min?: number; max?: number; interval?: number } = {};
  if (options.identity && points.length > 0) {
    const values = points.flatMap((point) => [point.x, point.y]);
    const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
    const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    range = roundRange(low, high);
    series.push({
      type: 'line',
      name: '1:1',
      data: [
        [low, low],
        [high, high],
      ],
      showSymbol: false,
      silent: true,
      lineStyle: { color: colors.muted, type: [5, 4], width: 1 },
    });
  }
  return {
    ...frame(colors, { ...GRID, ...(several ? { bottom: LEGEND_BOTTOM_PX } : {}) }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ name, value }: { name: string; value: [number, number] }) =>
        `${escapeHtml(name)}<br>${escapeHtml(options.x)}: ${options.format(value[0])}<br>${escapeHtml(options.y)}: ${options.format(value[1])}`,
    },
    ...(several
      ? { legend: { bottom: 0, data: [...groups], textStyle: { color: colors.text, fontSize: 12 }, itemWidth: 12 } }
      : {}),
    xAxis: axis(colors, 'x', { name: options.x, ...range }),
    yAxis: axis(colors, 'y', { name: options.y, ...range }),
    series,
  };
}
