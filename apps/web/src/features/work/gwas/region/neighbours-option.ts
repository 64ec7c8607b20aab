import type { ChartColors } from '@heterosis/charts/chart-colors';
import { axis, type ChartOption, escapeHtml, frame } from '@heterosis/charts/chart-option';
import { axisToRoundEnd } from '@heterosis/charts/round-ticks';
import type { GwasMarker } from '@heterosis/contracts/work/gwas';
import { formatMb, formatPValue, formatTick } from '../../../../lib/format/format.ts';

/** Even in lightness, so that the order of r² is seen without colour; size says the same. */
const LD_COLORS = {
  light: ['#c6d8e8', '#6baed6', '#2171b5', '#08306b'],
  dark: ['#3b4a58', '#3f7fb5', '#6baed6', '#deebf7'],
};

/** Neighbours of a marker: position against −log10 p, colour and size by r²; the marker itself as a diamond. */
export function neighboursOption(
  { row, neighbours }: GwasMarker,
  labels: { x: string; y: string; thisMarker: string },
  colors: ChartColors,
): ChartOption {
  const largest = Math.max(row.neg_log10_p, ...neighbours.map((one) => one.neg_log10_p));
  return {
    ...frame(colors, { right: 64 }),
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ name, value }: { name: string; value: number[] }) =>
        `${escapeHtml(name)}<br>${formatMb(value[0])} Mb<br>p = ${formatPValue(10 ** -(value[1] ?? 0))}${value[2] === undefined ? '' : `<br>r² = ${value[2].toFixed(2)}`}`,
    },
    xAxis: axis(colors, 'x', {
      name: labels.x,
      tick: (positionBp) => formatTick(Number((positionBp / 1e6).toFixed(4))),
    }),
    yAxis: axis(colors, 'y', { name: labels.y, min: 0, ...axisToRoundEnd(largest) }),
    visualMap: {
      dimension: 2,
      seriesIndex: 0,
      min: 0,
      max: 1,
      right: 0,
      top: 'middle',
      itemHeight: 100,
      itemWidth: 12,
      precision: 1,
      text: ['r² 1', '0'],
      textStyle: { color: colors.muted, fontSize: 11 },
      inRange: { color: colors.dark ? LD_COLORS.dark : LD_COLORS.light, symbolSize: [5, 11] },
    },
    series: [
      {
        type: 'scatter',
        cursor: 'pointer',
        itemStyle: { borderColor: colors.muted, borderWidth: 0.5 },
        data: neighbours
          .filter((one) => one.id !== row.id)
          .map((one) => ({ name: one.id, value: [one.pos, one.neg_log10_p, one.r2] })),
      },
      {
        type: 'scatter',
        symbol: 'diamond',
        symbolSize: 14,
        itemStyle: { color: colors.threshold },
        label: {
          show: true,
          formatter: labels.thisMarker,
          position: 'right',
          color: colors.text,
          fontSize: 12,
          textBorderColor: colors.ground,
          textBorderWidth: 3,
        },
        data: [{ name: row.id, value: [row.pos, row.neg_log10_p] }],
      },
    ],
  };
}
