import type { CurvePoint } from '@heterosis/statgen/mating/plan-crosses';
import type { ChartColors } from '../../../components/charts/chart-colors.ts';
import { axis, type ChartOption, frame } from '../../../components/charts/chart-option.ts';
import { formatStatistic } from '../../../lib/format/format.ts';

/** The trade-off of value against group coancestry: the curve of optimal contributions, and the plan beside it. */
export function curveOption(
  curve: readonly CurvePoint[],
  plan: CurvePoint,
  labels: { coancestry: string; value: string; curve: string; plan: string },
  colors: ChartColors,
): ChartOption {
  const describe = (name: string, { coancestry, value }: CurvePoint): string =>
    `${name}<br>${labels.coancestry}: ${formatStatistic(coancestry)}<br>${labels.value}: ${formatStatistic(value)}`;
  return {
    ...frame(colors, { left: 66, right: 24 }),
    tooltip: {
      ...frame(colors).tooltip,
      trigger: 'item',
      formatter: ({ seriesName, value }: { seriesName: string; value: [number, number] }) =>
        describe(seriesName, { coancestry: value[0], value: value[1] }),
    },
    xAxis: axis(colors, 'x', { name: labels.coancestry }),
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
