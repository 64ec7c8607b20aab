import type { ChartColors } from '@heterosis/charts/chart-colors';
import { axis, type ChartOption, escapeHtml, frame } from '@heterosis/charts/chart-option';
import { roundTicks } from '@heterosis/charts/round-ticks';
import type { FineMapResult } from '@heterosis/contracts/work/fine-maps';
import { formatMb, formatStatistic, formatTick } from '../../../../lib/format/format.ts';

type FineMappedMarker = FineMapResult['markers'][number];

interface Texts {
  x: string;
  y: string;
  outside: string;
  effect: string;
  nameOfSet: (set: number) => string;
}

/** Shapes as well as colours, so that sets are told apart without colour. */
const SYMBOLS = ['circle', 'diamond', 'triangle', 'rect', 'roundRect', 'pin'];

/** Posterior probabilities along a region, markers of each credible set in a colour and shape of their own. */
export function fineMapOption(
  { markers, sets }: FineMapResult,
  { start, end }: { start: number; end: number },
  texts: Texts,
  colors: ChartColors,
): ChartOption {
  const point = ({ id, pos, pip, effect }: FineMappedMarker) => ({
    name: id,
    value: [pos, pip],
    tip: [id, `${formatMb(pos)} Mb`, `${texts.y}: ${pip.toFixed(3)}`, `${texts.effect}: ${formatStatistic(effect)}`]
      .map(escapeHtml)
      .join('<br>'),
  });
  const shared = { type: 'scatter', cursor: 'pointer' };
  return {
    ...frame(colors, { top: 40 }),
    legend: {
      type: 'scroll',
      top: 4,
      left: 50,
      itemWidth: 10,
      itemHeight: 10,
      itemGap: 12,
      textStyle: { color: colors.muted, fontSize: 12 },
    },
    tooltip: {
      ...frame(colors).tooltip,
      formatter: ({ data }: { data: { tip?: string } }) => data.tip ?? '',
    },
    xAxis: {
      ...axis(colors, 'x', { name: texts.x, min: start, max: end }),
      axisLabel: {
        color: colors.muted,
        fontSize: 12,
        hideOverlap: true,
        customValues: roundTicks(start, end),
        formatter: (value: number) => formatTick(Number((value / 1e6).toFixed(6))),
      },
    },
    yAxis: axis(colors, 'y', { name: texts.y, min: 0, max: 1 }),
    series: [
      {
        ...shared,
        name: texts.outside,
        symbolSize: 6,
        itemStyle: { color: colors.muted },
        data: markers.filter(({ set }) => set === null).map(point),
      },
      ...sets.map((_, k) => ({
        ...shared,
        name: texts.nameOfSet(k + 1),
        symbol: SYMBOLS[k % SYMBOLS.length],
        symbolSize: 11,
        z: 3,
        itemStyle: { color: colors.series[k % colors.series.length], borderColor: colors.ground, borderWidth: 0.5 },
        data: markers.filter(({ set }) => set === k + 1).map(point),
      })),
    ],
  };
}
