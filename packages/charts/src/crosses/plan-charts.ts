import type { ChartColors } from '../chart-colors.ts';
import { axis, type ChartOption, frame } from '../chart-option.ts';
import { formatStatistic, formatTick } from '../format.ts';
import { roundTicks } from '../round-ticks.ts';

/** Sums of steps such as 0.02 are not exact. */
const formatStep = (value: number): string => formatTick(Number(value.toPrecision(10)));

/** Group coancestry and value of a plan. */
interface CurvePoint {
  coancestry: number;
  value: number;
}

/** Left and right of the plot: the slider below it is as wide as the axis. */
export const PLOT_MARGINS = { left: 66, right: 24 };

/**
 * The trade-off of value against group coancestry: the curve of optimal contributions, and the plan beside it, from the
 * least coancestry to the most.
 */
export function curveOption(
  curve: readonly CurvePoint[],
  plan: CurvePoint,
  labels: { coancestry: string; value: string; curve: string; plan: string },
  { colors, least, most }: { colors: ChartColors; least: number; most: number },
): ChartOption {
  const describe = (name: string, { coancestry, value }: CurvePoint): string =>
    `${name}<br>${labels.coancestry}: ${formatStatistic(coancestry)}<br>${labels.value}: ${formatStatistic(value)}`;
  return {
    ...frame(colors, PLOT_MARGINS),
    tooltip: {
      ...frame(colors).tooltip,
      trigger: 'item',
      formatter: ({ seriesName, value }: { seriesName: string; value: [number, number] }) =>
        describe(seriesName, { coancestry: value[0], value: value[1] }),
    },
    xAxis: {
      ...axis(colors, 'x', { name: labels.coancestry, min: least, max: most }),
      // The axis ends where the slider does; its marks are round all the same.
      axisLabel: {
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        customValues: roundTicks(least, most),
        formatter: formatStep,
      },
    },
    yAxis: axis(colors, 'y', { name: labels.value }),
    series: [
      {
        type: 'line',
        name: labels.curve,
        data: curve.map(({ coancestry, value }) => [coancestry, value]),
        showSymbol: true,
        symbolSize: 6,
        itemStyle: { color: colors.mark, opacity: 0.35 },
        lineStyle: { color: colors.mark, width: 2 },
        cursor: 'pointer',
      },
      {
        type: 'scatter',
        name: labels.plan,
        data: [[plan.coancestry, plan.value]],
        symbol: 'diamond',
        symbolSize: 14,
        itemStyle: { color: colors.threshold, borderColor: colors.ground, borderWidth: 1 },
        z: 5,
      },
    ],
  };
}
