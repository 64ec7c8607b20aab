import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, frame } from './chart-option.ts';
import { formatTick } from './format.ts';
import { roundTicks } from './round-ticks.ts';

/** Sums of steps such as 0.1 are not exact. */
const TICK_DIGITS = 10;

export interface HistogramCounts {
  min: number;
  max: number;
  counts: readonly number[];
}

/** Bins as rows: lower bound, upper bound, count. For the table and the CSV beside the plot. */
export function histogramRows(histogram: HistogramCounts): [number, number, number][] {
  const width = (histogram.max - histogram.min) / Math.max(1, histogram.counts.length);
  return histogram.counts.map((count, bin) => [histogram.min + bin * width, histogram.min + (bin + 1) * width, count]);
}

/** How many of the values lie in each of so many bins of equal width. */
export function countsIn(
  { min, max }: { min: number; max: number },
  bins: number,
  values: readonly number[],
): number[] {
  const counts = Array.from<number>({ length: bins }).fill(0);
  for (const value of values) {
    const bin = max > min ? Math.min(bins - 1, Math.floor(((value - min) / (max - min)) * bins)) : 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

type HistogramBar = readonly [from: number, to: number, count: number];

/** Bars that touch, as a series of a chart. */
export const histogramBars = (data: readonly HistogramBar[], format: (value: number) => string, fill: string) => ({
  type: 'custom',
  data,
  encode: { x: [0, 1], y: 2 },
  tooltip: {
    formatter: ({ value }: { value: [number, number, number] }) =>
      `${format(value[0])} – ${format(value[1])}<br>${value[2].toLocaleString('en')}`,
  },
  renderItem: (
    _params: unknown,
    api: { value: (dimension: number) => number; coord: (point: [number, number]) => [number, number] },
  ) => {
    const [left, top] = api.coord([api.value(0), api.value(2)]);
    const [right, bottom] = api.coord([api.value(1), 0]);
    return {
      type: 'rect',
      shape: { x: left + 0.5, y: top, width: Math.max(1, right - left - 1), height: bottom - top },
      style: { fill },
    };
  },
});

/** Bars that touch, on a true number axis. */
export function histogramOption(
  histogram: HistogramCounts,
  labels: { x: string; y: string; format: (value: number) => string },
  colors: ChartColors,
  /** How many of each bin are selected on the page. */
  selected?: readonly number[],
): ChartOption {
  const rows = histogramRows(histogram);
  return {
    ...frame(colors),
    xAxis: {
      ...axis(colors, 'x', { name: labels.x, min: histogram.min, max: histogram.max }),
      // The axis ends where the data do; its marks are round all the same.
      axisLabel: {
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        customValues: roundTicks(histogram.min, histogram.max),
        formatter: (value: number) => formatTick(Number(value.toPrecision(TICK_DIGITS))),
      },
    },
    // Of whole things there is no half.
    yAxis: { ...axis(colors, 'y', { name: labels.y, min: 0 }), minInterval: 1 },
    series: [
      histogramBars(rows, labels.format, colors.mark),
      ...(selected?.some((count) => count > 0)
        ? [
            histogramBars(
              rows.map(([from, to], bin) => [from, to, selected[bin] ?? 0] as const),
              labels.format,
              colors.threshold,
            ),
          ]
        : []),
    ],
  };
}
