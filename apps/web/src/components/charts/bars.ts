import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, frame } from './chart-option.ts';

/** Horizontal bars, the first row on top. */
export function barsOption(
  rows: readonly { name: string; value: number }[],
  labels: { x: string; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  return {
    ...frame(colors, { left: 112 }),
    tooltip: { ...frame(colors).tooltip, valueFormatter: labels.format },
    xAxis: {
      ...axis(colors, 'x', { name: labels.x, min: 0 }),
      splitLine: { show: true, lineStyle: { color: colors.line } },
    },
    yAxis: {
      ...axis(colors, 'y', { name: '', type: 'category', data: rows.map((row) => row.name) }),
      inverse: true,
      axisLabel: { color: colors.muted, fontSize: 12, width: 100, overflow: 'truncate' },
      splitLine: { show: false },
    },
    series: [{ type: 'bar', data: rows.map((row) => row.value), itemStyle: { color: colors.mark }, barMaxWidth: 18 }],
  };
}
