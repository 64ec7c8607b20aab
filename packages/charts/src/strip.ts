import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

export interface StripGroup {
  name: string;
  values: readonly number[];
}

/**
 * Quartiles by linear interpolation (type 7 of Hyndman & Fan 1996): minimum, lower quartile, median, upper quartile,
 * maximum.
 */
export function fiveNumbers(values: readonly number[]): [number, number, number, number, number] | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)] ?? 0;
    const above = sorted[Math.ceil(place)] ?? below;
    return below + (above - below) * (place - Math.floor(place));
  };
  return [at(0), at(0.25), at(0.5), at(0.75), at(1)];
}

/** Of a column, over which its points are spread: no wider than its box, which grows only up to BOX_PX. */
const SPREAD = 0.5;
const SPREAD_PER_COLUMN = 0.12;
const BOX_PX = [12, 60];

/** Room for a second line under the columns. */
const TWO_LINES_PX = 14;

/**
 * Every value as a point over a box of its quartiles, one column per group; a group's name may have two lines. Points
 * are spread evenly, not at random.
 */
export function stripOption(
  groups: readonly StripGroup[],
  labels: { x: string; y: string; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  const spread = Math.min(SPREAD, SPREAD_PER_COLUMN * groups.length);
  const points = groups.flatMap((group, column) =>
    group.values.map((value, index) => ({
      value: [column + (((index * 0.618) % 1) - 0.5) * spread, value],
      name: group.name,
    })),
  );
  const more = groups.some((group) => group.name.includes('\n')) ? TWO_LINES_PX : 0;
  return {
    ...frame(colors, { bottom: 44 + more }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ name, value, seriesType }: { name: string; value: number[]; seriesType: string }) =>
        seriesType === 'boxplot'
          ? `${escapeHtml(name)}<br>${value.slice(1).map(labels.format).join(' · ')}`
          : `${escapeHtml(name)}: ${labels.format(value[1] ?? 0)}`,
    },
    xAxis: [
      {
        ...axis(colors, 'x', { name: labels.x, type: 'category', data: groups.map((group) => group.name) }),
        nameGap: 28 + more,
        axisLabel: { color: colors.muted, fontSize: 12, lineHeight: TWO_LINES_PX },
      },
      { type: 'value', min: -0.5, max: groups.length - 0.5, show: false },
    ],
    yAxis: axis(colors, 'y', { name: labels.y }),
    series: [
      {
        type: 'boxplot',
        data: groups.map((group) => fiveNumbers(group.values) ?? []),
        itemStyle: { color: 'transparent', borderColor: colors.muted },
        boxWidth: BOX_PX,
      },
      {
        type: 'scatter',
        xAxisIndex: 1,
        data: points,
        symbolSize: 5,
        itemStyle: { color: colors.mark, opacity: 0.6 },
      },
    ],
  };
}
