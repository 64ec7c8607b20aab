import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

/** One way to do something: what it costs, and what it brings. */
export interface CostPoint {
  cost: number;
  value: number;
  /** Points of one group are joined. */
  group: string;
  /** Said of it. */
  text: string;
  /** Nothing that costs as much or less brings as much. */
  isBest: boolean;
}

const SYMBOLS = ['circle', 'triangle', 'rect', 'diamond'];

/** What is gained against what it costs: a line for each group, full marks for what nothing cheaper equals. */
export function costCurveOption(
  points: readonly CostPoint[],
  labels: { x: string; y: string },
  colors: ChartColors,
): ChartOption {
  const groups = [...new Set(points.map(({ group }) => group))];
  return {
    ...frame(colors, { bottom: 76, right: 24 }),
    legend: { bottom: 0, type: 'scroll', textStyle: { color: colors.text, fontSize: 12 }, itemWidth: 24 },
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ data }: { data: { text: string } }) => escapeHtml(data.text),
    },
    xAxis: axis(colors, 'x', { name: labels.x }),
    yAxis: axis(colors, 'y', { name: labels.y }),
    series: groups.map((group, rank) => {
      const color = colors.series[rank % colors.series.length] ?? colors.mark;
      return {
        type: 'line',
        name: group,
        symbol: SYMBOLS[rank % SYMBOLS.length],
        symbolSize: 9,
        color,
        lineStyle: { color, width: 1, opacity: 0.6 },
        data: points
          .filter((point) => point.group === group)
          .sort((a, b) => a.cost - b.cost)
          .map(({ cost, value, text, isBest }) => ({
            value: [cost, value],
            text,
            itemStyle: isBest ? { color } : { color: colors.ground, borderColor: color, borderWidth: 1.5 },
          })),
      };
    }),
  };
}
