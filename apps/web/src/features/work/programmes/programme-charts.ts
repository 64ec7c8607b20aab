import type { ChartColors } from '@heterosis/charts/chart-colors';
import { axis, type ChartOption, escapeHtml, frame } from '@heterosis/charts/chart-option';
import type { ProgrammePoint } from '@heterosis/contracts/work/programmes';
import { formatStatistic } from '../../../lib/format/format.ts';

/** A quantity of a scheme over years. */
export interface Course {
  name: string;
  points: readonly ProgrammePoint[];
}

const BAND_OPACITY = 0.14;
/** Of a confidence interval of the mean, in standard errors. */
const Z = 1.96;
const LEGEND_BOTTOM_PX = 76;

/** Means of schemes by year, with 95 % intervals of the means or the middle 90 % of the replicates as bands. */
export function courseOption(
  courses: readonly Course[],
  band: 'mean' | 'replicates',
  labels: { year: string; value: string; replicates: (count: number) => string },
  colors: ChartColors,
): ChartOption {
  const yearOf = (point: ProgrammePoint): number => point.year ?? point.cycle;
  const color = (i: number): string => colors.series[i % colors.series.length] ?? colors.mark;
  return {
    ...frame(colors, { left: 66, right: 24, bottom: courses.length > 1 ? LEGEND_BOTTOM_PX : 44 }),
    ...(courses.length > 1
      ? {
          legend: {
            // Three lines of names would cover the name of the axis.
            type: courses.length > 3 ? 'scroll' : 'plain',
            bottom: 0,
            data: courses.map(({ name }) => name),
            textStyle: { color: colors.text, fontSize: 12 },
            itemWidth: 14,
            itemHeight: 8,
          },
        }
      : {}),
    tooltip: {
      ...frame(colors).tooltip,
      trigger: 'item',
      formatter: ({ data }: { data: { name: string; point: ProgrammePoint } }) =>
        [
          escapeHtml(data.name),
          `${escapeHtml(labels.year)} ${yearOf(data.point)}: ${formatStatistic(data.point.mean)}`,
          `${formatStatistic(data.point.low)} – ${formatStatistic(data.point.high)}`,
          escapeHtml(labels.replicates(data.point.replicates)),
        ].join('<br>'),
    },
    xAxis: axis(colors, 'x', { name: labels.year }),
    yAxis: axis(colors, 'y', { name: labels.value }),
    series: courses.flatMap(({ name, points }, i) => {
      const edges = points.map((point): [number, number, number] => {
        const half = Z * (point.se ?? 0);
        return band === 'mean'
          ? [yearOf(point), point.mean - half, point.mean + half]
          : [yearOf(point), point.low, point.high];
      });
      return [
        {
          // Without a name: the legend would take the colour of a band that has none.
          type: 'custom',
          silent: true,
          renderItem: bandOf(edges, color(i)),
          data: edges.length > 1 ? [edges[0]] : [],
          encode: { x: 0, y: [1, 2] },
          tooltip: { show: false },
          z: 1,
        },
        {
          type: 'line',
          name,
          symbolSize: 7,
          symbol: SYMBOLS[i % SYMBOLS.length],
          itemStyle: { color: color(i) },
          lineStyle: { color: color(i), width: 2, type: DASHES[i % DASHES.length] },
          data: points.map((point) => ({ name, point, value: [yearOf(point), point.mean] })),
          z: 2,
        },
        // The band takes no room of the axis by itself.
        ...[1, 2].map((edge) => ({
          type: 'line',
          silent: true,
          showSymbol: false,
          lineStyle: { opacity: 0 },
          data: edges.map((one) => [one[0], one[edge]]),
          tooltip: { show: false },
        })),
      ];
    }),
  };
}

/** Colours are not the only difference. */
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin'];
const DASHES = ['solid', 'dashed', 'dotted', [8, 3, 2, 3], [2, 2], [12, 4]];

interface Drawing {
  coord: (point: [number, number]) => [number, number];
}

/** A polygon between the lower and the upper edge. */
const bandOf = (edges: readonly [number, number, number][], fill: string) => (_: unknown, api: Drawing) => ({
  type: 'polygon',
  shape: {
    points: [
      ...edges.map(([x, low]) => api.coord([x, low])),
      ...edges.toReversed().map(([x, , high]) => api.coord([x, high])),
    ],
  },
  style: { fill, opacity: BAND_OPACITY },
  silent: true,
});
