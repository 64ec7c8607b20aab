import type { ChartColors } from '@heterosis/charts/chart-colors';
import { axis, type ChartOption, escapeHtml, frame } from '@heterosis/charts/chart-option';
import type { ProgrammeOptimum } from '@heterosis/contracts/work/programmes/programme-optimum';
import { formatCount, formatStatistic, formatTick } from '../../../lib/format/format.ts';

type Allocation = ProgrammeOptimum['allocations'][number];

/** Of a 95 % interval, in standard errors. */
const Z = 1.96;

interface Labels {
  x: string;
  y: string;
  maybe: string;
  others: string;
  front?: string;
}

/** Allocations by two values with intervals of the second; those that may be the best stand out. */
export function allocationsOption(
  { numbers, allocations }: Pick<ProgrammeOptimum, 'numbers' | 'allocations'>,
  { x, y }: { x: (one: Allocation) => number; y: (one: Allocation) => { mean: number; se: number } },
  labels: Labels,
  colors: ChartColors,
): ChartOption {
  const [maybe, others] = [true, false].map((is) => allocations.filter((one) => one.may_be_best === is));
  const front = allocations.filter(({ on_front }) => on_front).toSorted((a, b) => x(a) - x(b));
  const groups = [
    { name: labels.maybe, of: maybe ?? [], color: colors.series[0] ?? colors.mark, symbol: 'circle' },
    { name: labels.others, of: others ?? [], color: colors.text, symbol: 'diamond' },
  ];
  return {
    ...frame(colors, { left: 70, right: 24, bottom: 76 }),
    legend: {
      bottom: 0,
      data: [...groups.map(({ name }) => name), ...(labels.front === undefined ? [] : [labels.front])],
      textStyle: { color: colors.text, fontSize: 12 },
      itemWidth: 14,
      itemHeight: 8,
    },
    tooltip: {
      ...frame(colors).tooltip,
      trigger: 'item',
      formatter: ({ data }: { data: { one: Allocation } }) =>
        [
          ...numbers.map(({ name }, j) => `${escapeHtml(name)}: ${formatTick(data.one.numbers[j] ?? Number.NaN)}`),
          `${escapeHtml(labels.y)}: ${formatStatistic(y(data.one).mean)} ± ${formatStatistic(y(data.one).se)}`,
          formatCount(data.one.cost),
        ].join('<br>'),
    },
    xAxis: { ...axis(colors, 'x', { name: labels.x }), scale: true },
    yAxis: { ...axis(colors, 'y', { name: labels.y }), scale: true },
    series: [
      ...groups.flatMap(({ name, of, color, symbol }) => [
        {
          type: 'custom',
          silent: true,
          renderItem: bar(color),
          data: of.map((one) => [x(one), y(one).mean - Z * y(one).se, y(one).mean + Z * y(one).se]),
          encode: { x: 0, y: [1, 2] },
          tooltip: { show: false },
          z: 1,
        },
        {
          type: 'scatter',
          name,
          symbol,
          symbolSize: 8,
          itemStyle: { color, opacity: 0.85 },
          data: of.map((one) => ({ one, value: [x(one), y(one).mean] })),
          z: 3,
        },
      ]),
      ...(labels.front === undefined
        ? []
        : [
            {
              type: 'line',
              name: labels.front,
              silent: true,
              symbol: 'none',
              lineStyle: { color: colors.series[1] ?? colors.mark, width: 2 },
              itemStyle: { color: colors.series[1] ?? colors.mark },
              data: front.map((one) => [x(one), y(one).mean]),
              tooltip: { show: false },
              z: 2,
            },
          ]),
    ],
  };
}

/** What more money buys at each number, with 95 % intervals; the most first. */
export function stepsOption(
  steps: ProgrammeOptimum['steps'],
  labels: { gain: string },
  colors: ChartColors,
): ChartOption {
  const color = colors.series[0] ?? colors.mark;
  const shown = steps.toReversed();
  return {
    ...frame(colors, { left: 132, right: 24, bottom: 44 }),
    tooltip: {
      ...frame(colors).tooltip,
      trigger: 'item',
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const step = shown[dataIndex];
        if (step === undefined) return '';
        const { name, from, to, cost, gain } = step;
        return `${escapeHtml(name)}: ${formatTick(from)} → ${formatTick(to)}<br>${formatCount(cost)}: ${formatStatistic(gain.mean)} ± ${formatStatistic(gain.se)}`;
      },
    },
    xAxis: { ...axis(colors, 'x', { name: labels.gain }), splitNumber: 4 },
    yAxis: {
      ...axis(colors, 'y', { name: '' }),
      type: 'category',
      data: shown.map(({ name }) => name),
      axisLabel: { color: colors.text, fontSize: 12, lineHeight: 14, width: 118, overflow: 'break' },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 22,
        itemStyle: { color, opacity: 0.7 },
        data: shown.map(({ each }) => each.mean),
      },
      {
        type: 'custom',
        silent: true,
        renderItem: across(colors.text),
        data: shown.map(({ each }, i) => [i, each.mean - Z * each.se, each.mean + Z * each.se]),
        encode: { y: 0, x: [1, 2] },
        tooltip: { show: false },
        z: 3,
      },
    ],
  };
}

interface Drawing {
  value: (place: number) => number;
  coord: (point: [number, number]) => [number, number];
}

const line = (from: [number, number], to: [number, number], stroke: string) => ({
  type: 'line',
  shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
  style: { stroke, lineWidth: 1.2, opacity: 0.6 },
  silent: true,
});

const bar = (stroke: string) => (_: unknown, api: Drawing) =>
  line(api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)]), stroke);

const across = (stroke: string) => (_: unknown, api: Drawing) =>
  line(api.coord([api.value(1), api.value(0)]), api.coord([api.value(2), api.value(0)]), stroke);
