import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

/** Share of the largest value beyond which the colour is so strong that white text is read better. */
const STRONG = 0.6;

/** Cells drawn in one go; more come in pieces, which takes longer but lets the page answer meanwhile. */
const AT_ONCE = 100_000;

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

/** Values between named rows and columns. */
export function heatmapOption(
  { rows, columns, values }: Heatmap,
  options: {
    min: number;
    max: number;
    format: (value: number) => string;
    showNames: boolean;
    /** Written into the cells. */
    showValues?: boolean;
    /** Colours part at zero, in the middle between `min` and `max`. */
    isDiverging?: boolean;
  },
  colors: ChartColors,
): ChartOption {
  const cells: [number, number, number][] = [];
  const isStrong = (value: number): boolean =>
    Math.abs(value) > STRONG * Math.max(Math.abs(options.min), Math.abs(options.max));
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < columns.length; column++) {
      const value = values[row * columns.length + column];
      if (value !== null && value !== undefined) cells.push([column, row, value]);
    }
  }
  const side = (names: readonly string[]) => ({ type: 'category' as const, data: [...names], name: '' });
  const label = {
    show: options.showNames,
    color: colors.muted,
    fontSize: 11,
    width: 90,
    overflow: 'truncate' as const,
  };
  return {
    ...frame(colors, options.showNames ? { left: 104, bottom: 84, right: 64 } : { left: 16, bottom: 16, right: 64 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ value }: { value: [number, number, number] }) =>
        `${escapeHtml(rows[value[1]] ?? '')} × ${escapeHtml(columns[value[0]] ?? '')}<br>${options.format(value[2])}`,
    },
    xAxis: { ...axis(colors, 'x', side(columns)), axisLabel: { ...label, rotate: 45 }, splitLine: { show: false } },
    yAxis: { ...axis(colors, 'y', side(rows)), axisLabel: label, inverse: true, splitLine: { show: false } },
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
      // Blue and vermilion of Okabe & Ito around the ground; or viridis-like: even in lightness, readable in grey.
      inRange: {
        color: options.isDiverging
          ? ['#D55E00', colors.ground, '#0072B2']
          : ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'],
      },
    },
    series: [
      {
        type: 'heatmap',
        data: options.showValues
          ? cells.map((value) => ({ value, label: { color: isStrong(value[2]) ? '#ffffff' : colors.text } }))
          : cells,
        label: {
          show: options.showValues ?? false,
          fontSize: 12,
          formatter: (cell: unknown) => options.format((cell as { value: [number, number, number] }).value[2]),
        },
        progressive: cells.length > AT_ONCE ? AT_ONCE : 0,
        itemStyle: options.isDiverging ? { borderWidth: 1, borderColor: colors.line } : { borderWidth: 0 },
      },
    ],
  };
}
