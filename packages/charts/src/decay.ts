import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, frame, thresholdLine } from './chart-option.ts';

/** A value that falls with distance: points joined by lines, and a fitted curve, on a logarithmic axis of distance. */
export function decayOption(
  points: readonly (readonly [distance: number, value: number])[],
  fitted: readonly (readonly [distance: number, value: number])[],
  options: {
    x: string;
    y: string;
    fit: string;
    threshold: { value: number; label: string };
    formatDistance: (value: number) => string;
    format: (value: number) => string;
  },
  colors: ChartColors,
): ChartOption {
  // A logarithm has no place for 0: two markers at one position.
  const positive = (pairs: typeof points) => pairs.filter(([distance]) => distance > 0);
  const distanceAxis = axis(colors, 'x', { name: options.x, type: 'log' });
  return {
    ...frame(colors, { right: 24 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ value }: { value: [number, number] }) =>
        `${options.x}: ${options.formatDistance(value[0])}<br>${options.y}: ${options.format(value[1])}`,
    },
    xAxis: {
      ...distanceAxis,
      scale: true,
      axisLabel: { color: colors.muted, fontSize: 12, hideOverlap: true, formatter: options.formatDistance },
    },
    yAxis: axis(colors, 'y', { name: options.y, min: 0 }),
    series: [
      {
        type: 'line',
        name: options.y,
        data: positive(points),
        symbol: 'circle',
        symbolSize: 6,
        lineStyle: { color: colors.mark, width: 1 },
        itemStyle: { color: colors.mark },
        markLine: {
          symbol: 'none',
          silent: true,
          data: [thresholdLine(colors, options.threshold.value, options.threshold.label)],
        },
      },
      {
        type: 'line',
        name: options.fit,
        data: positive(fitted),
        showSymbol: false,
        silent: true,
        smooth: true,
        lineStyle: { color: colors.text, type: [6, 3], width: 1.5 },
      },
    ],
  };
}
