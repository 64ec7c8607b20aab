import type { CrossDetail, CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import type { ChartColors } from '../chart-colors.ts';
import { axis, type ChartOption, escapeHtml, frame } from '../chart-option.ts';
import { formatStatistic } from '../format.ts';
import { histogramBars } from '../histogram.ts';
import { roundRange } from '../round-ticks.ts';
import { parentsOf } from './cross-parents.ts';
import { directed, type Selection, usefulnessOf } from './usefulness.ts';

/** Lines of equal usefulness in the plot. */
const LINES = 4;

/**
 * Mean against spread, one point per cross, with lines of equal usefulness; the uppermost goes through the best cross.
 */
export function spreadOption(
  crosses: readonly CrossRow[],
  selection: Selection,
  labels: { mean: string; sd: string; usefulness: (value: string) => string },
  colors: ChartColors,
): ChartOption {
  const values = crosses.map((row) => usefulnessOf(row, selection));
  const widest = Math.max(...crosses.map(({ sd }) => sd), 0);
  const slope = usefulnessOf({ mean: 0, sd: 1 }, selection);
  const best = values.reduce((one, other) => directed(one, other, selection), values[0] ?? 0);
  const worst = values.reduce((one, other) => directed(one, other, { ...selection, isLow: !selection.isLow }), best);
  const levels = Array.from({ length: LINES }, (_, k) => best + ((worst - best) * k) / LINES);
  const least = Math.min(...crosses.map(({ sd }) => sd), widest);
  const margin = Math.max((widest - least) * 0.05, widest * 0.01);
  const ends = [Math.max(0, least - margin), widest + margin];
  return {
    ...frame(colors, { left: 66, right: 24 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ data }: { data: { name: string; value: [number, number]; usefulness: number } }) =>
        [
          escapeHtml(data.name),
          `${escapeHtml(labels.mean)}: ${formatStatistic(data.value[1])}`,
          `${escapeHtml(labels.sd)}: ${formatStatistic(data.value[0])}`,
          escapeHtml(labels.usefulness(formatStatistic(data.usefulness))),
        ].join('<br>'),
    },
    xAxis: axis(colors, 'x', { name: labels.sd, ...roundRange(ends[0] ?? 0, ends[1] ?? 1) }),
    yAxis: axis(colors, 'y', { name: labels.mean }),
    series: [
      ...levels.map((level) => ({
        type: 'line',
        silent: true,
        showSymbol: false,
        data: ends.map((sd) => [sd, level - slope * sd]),
        clip: true,
        lineStyle: { color: colors.muted, width: 1, type: [5, 4] },
        endLabel: { show: false },
        tooltip: { show: false },
      })),
      {
        type: 'scatter',
        symbolSize: crosses.length > 500 ? 5 : 8,
        itemStyle: { color: colors.mark, opacity: 0.8 },
        data: crosses.map((row, k) => ({ name: row.cross, value: [row.sd, row.mean], usefulness: values[k] })),
        cursor: 'pointer',
      },
    ],
  };
}

const CURVE_POINTS = 121;
const CURVE_SDS = 4;

/** Below the plot: its axis, and the legend, which takes two lines on a phone. */
const LEGEND_BOTTOM_PX = 84;
/** Height of a line of text above the plot. */
const NAME_ROW_PX = 14;

/**
 * The simulated progeny of a cross as bars, those better than all parents in another colour; the expected normal curve;
 * and the parents. Without simulated progeny the curve is a density.
 */
export function progenyOption(
  { histogram }: CrossDetail,
  cross: CrossRow,
  isLow: boolean,
  labels: { value: string; count: string; better: string; others: string; expected: string },
  colors: ChartColors,
): ChartOption {
  const { from, to, counts } = histogram ?? { from: cross.mean, to: cross.mean, counts: [] };
  const width = counts.length > 1 ? (to - from) / counts.length : 0;
  const parents = parentsOf(cross);
  const values = parents.map(({ value }) => value);
  const limit = isLow ? Math.min(...values) : Math.max(...values);
  const bars = counts.map((count, bin): [number, number, number] => [
    from + bin * width,
    from + (bin + 1) * width,
    count,
  ]);
  /** Area below the curve: that of the bars. */
  const area = histogram === null ? 1 : counts.reduce((sum, count) => sum + count, 0) * width;
  const isBetter = (low: number, high: number) => (isLow ? (low + high) / 2 < limit : (low + high) / 2 > limit);
  const spread = cross.sd * CURVE_SDS;
  const low = Math.min(from, cross.mean - spread, ...values);
  const high = Math.max(to, cross.mean + spread, ...values);
  const curve =
    cross.sd > 0 && area > 0
      ? Array.from({ length: CURVE_POINTS }, (_, k) => {
          const z = ((k / (CURVE_POINTS - 1)) * 2 - 1) * CURVE_SDS;
          const density = Math.exp(-(z * z) / 2) / (cross.sd * Math.sqrt(2 * Math.PI));
          return [cross.mean + z * cross.sd, density * area];
        })
      : [];
  const rectangles = (name: string, wanted: boolean, color: string) => ({
    name,
    itemStyle: { color },
    ...histogramBars(
      bars.filter(([start, end]) => isBetter(start, end) === wanted),
      formatStatistic,
      color,
    ),
  });
  return {
    ...frame(colors, { bottom: LEGEND_BOTTOM_PX, top: parents.length > 2 ? 32 + NAME_ROW_PX : 32 }),
    legend: { bottom: 0, textStyle: { color: colors.text, fontSize: 12 }, itemWidth: 12, itemHeight: 10 },
    xAxis: axis(colors, 'x', { name: labels.value, ...roundRange(low, high) }),
    yAxis: axis(colors, 'y', { name: labels.count, min: 0 }),
    series: [
      ...(histogram === null
        ? []
        : [rectangles(labels.others, false, colors.tones[1]), rectangles(labels.better, true, colors.mark)]),
      {
        type: 'line',
        name: labels.expected,
        silent: true,
        showSymbol: false,
        data: curve,
        itemStyle: { color: colors.text },
        lineStyle: { color: colors.text, width: 1.5 },
        markLine: {
          silent: true,
          symbol: 'none',
          data: parents
            .toSorted((a, b) => a.value - b.value)
            .map(({ name, value }, k) => {
              // The names of the lower half stand left of their lines, the others right, each in a row of its own:
              // parents that are close would write over each other.
              const half = parents.length / 2;
              const isLower = k < Math.floor(half);
              const row = isLower ? Math.floor(half) - 1 - k : k - Math.floor(half);
              return {
                xAxis: value,
                lineStyle: { color: colors.threshold, type: 'solid', width: 1.5 },
                label: {
                  formatter: name,
                  color: colors.text,
                  fontSize: 12,
                  position: 'end',
                  distance: 5 + row * NAME_ROW_PX,
                  align: (isLower ? 'right' : 'left') as 'left' | 'right',
                },
              };
            }),
        },
      },
    ],
  };
}

/** χ² with two degrees of freedom: 95 % lie within √5.991 standard deviations. */
const ELLIPSE_RADIUS = Math.sqrt(5.991464547107979);
const ELLIPSE_POINTS = 64;

export interface CrossEllipse {
  name: string;
  mean: readonly [number, number];
  sd: readonly [number, number];
  correlation: number;
}

/** The outline that holds 95 % of the progeny of a cross in two traits. */
export function ellipsePoints({ mean, sd, correlation }: CrossEllipse): [number, number][] {
  const rest = Math.sqrt(Math.max(0, 1 - correlation * correlation));
  return Array.from({ length: ELLIPSE_POINTS + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / ELLIPSE_POINTS;
    const [u, v] = [Math.cos(angle) * ELLIPSE_RADIUS, Math.sin(angle) * ELLIPSE_RADIUS];
    return [mean[0] + sd[0] * u, mean[1] + sd[1] * (correlation * u + rest * v)];
  });
}

/** Ellipses of crosses in two traits; the chosen one stands out. */
export function ellipseOption(
  ellipses: readonly CrossEllipse[],
  chosen: string | undefined,
  labels: { x: string; y: string },
  colors: ChartColors,
): ChartOption {
  return {
    ...frame(colors, { left: 66 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ seriesName, value }: { seriesName: string; value: [number, number] }) =>
        `${escapeHtml(seriesName)}<br>${escapeHtml(labels.x)}: ${formatStatistic(value[0])}<br>${escapeHtml(labels.y)}: ${formatStatistic(value[1])}`,
    },
    xAxis: axis(colors, 'x', { name: labels.x }),
    yAxis: axis(colors, 'y', { name: labels.y }),
    series: ellipses.flatMap((one) => {
      const isChosen = one.name === chosen;
      const color = isChosen ? colors.threshold : colors.mark;
      const z = isChosen ? 3 : 2;
      return [
        {
          type: 'line',
          name: one.name,
          silent: true,
          showSymbol: false,
          data: ellipsePoints(one),
          lineStyle: { color, width: isChosen ? 2.5 : 1, opacity: isChosen ? 1 : 0.55 },
          z,
        },
        {
          type: 'scatter',
          name: one.name,
          symbolSize: isChosen ? 9 : 6,
          itemStyle: { color },
          data: [[...one.mean]],
          z,
        },
      ];
    }),
  };
}
