import type { ChartColors } from './chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from './chart-option.ts';

export interface Profile {
  name: string;
  /** In the order of the places; null where there is none. */
  values: readonly (number | null)[];
  /** Half the lengths of the bars. */
  errors: readonly (number | null)[];
}

const SYMBOLS = ['circle', 'triangle', 'rect', 'diamond'];
const DASHES: (string | number[])[] = ['solid', [6, 4], [2, 3], [8, 3, 2, 3]];
const BOTTOM_PX = 96;
/** Profiles beside each other, so that bars do not hide one another. */
const APART_PX = 5;

/** Values of a few lines across named places, each with a bar: the first is the one that is looked at. */
export function profileOption(
  places: readonly string[],
  profiles: readonly Profile[],
  labels: { y: string; format: (value: number) => string },
  colors: ChartColors,
): ChartOption {
  return {
    ...frame(colors, { bottom: BOTTOM_PX }),
    legend: { bottom: 0, textStyle: { color: colors.text, fontSize: 12 }, itemWidth: 24 },
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ seriesName, name, value, dataIndex }: TooltipOf) => {
        const error = profiles.find((one) => one.name === seriesName)?.errors[dataIndex] ?? null;
        const figure = Array.isArray(value) ? value[1] : value;
        return `${escapeHtml(seriesName)}<br>${escapeHtml(name)}: ${labels.format(Number(figure))}${error === null ? '' : ` ± ${labels.format(error)}`}`;
      },
    },
    xAxis: {
      ...axis(colors, 'x', { name: '', type: 'category', data: [...places] }),
      axisLabel: { color: colors.muted, fontSize: 11, rotate: 35, width: 84, overflow: 'truncate' },
    },
    yAxis: axis(colors, 'y', { name: labels.y }),
    series: profiles.flatMap((profile, rank) => profileSeries(profile, rank, profiles.length, colors)),
  };
}

interface TooltipOf {
  seriesName: string;
  name: string;
  value: unknown;
  dataIndex: number;
}

function profileSeries(profile: Profile, rank: number, count: number, colors: ChartColors): Record<string, unknown>[] {
  const color = rank === 0 ? colors.accent : (colors.series[rank - 1] ?? colors.muted);
  const aside = (rank - (count - 1) / 2) * APART_PX;
  return [
    {
      type: 'line',
      name: profile.name,
      data: profile.values,
      symbol: SYMBOLS[rank % SYMBOLS.length],
      symbolSize: 8,
      symbolOffset: [aside, 0],
      itemStyle: { color },
      lineStyle: { color, width: rank === 0 ? 2 : 1.25, type: DASHES[rank % DASHES.length] },
      z: count - rank + 2,
    },
    {
      type: 'custom',
      silent: true,
      tooltip: { show: false },
      // The axis holds both ends.
      encode: { x: 0, y: [1, 2] },
      data: profile.values.flatMap((value, place) => {
        const error = profile.errors[place] ?? null;
        return value === null || error === null ? [] : [[place, value - error, value + error]];
      }),
      renderItem: (
        _params: unknown,
        api: { value: (dimension: number) => number; coord: (point: [number, number]) => [number, number] },
      ) => {
        const [x, low] = api.coord([api.value(0), api.value(1)]);
        const [, high] = api.coord([api.value(0), api.value(2)]);
        const shape = { x1: x + aside, y1: low, x2: x + aside, y2: high };
        return { type: 'line', shape, style: { stroke: color, lineWidth: 1.25, opacity: 0.7 } };
      },
    },
  ];
}
